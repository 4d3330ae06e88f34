// Which rules a bitext makes believable (Johnson, Martin, Foster and Kuhn 2007).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "align/links.hh"
#include "base/progress.hh"
#include "rules/table.hh"

namespace miriam::rules {

// In how many sentence pairs each source phrase, each target phrase and each rule of a table is
// seen: both sides contain their phrase, whatever the alignment.
struct SentenceCounts {
  std::vector<std::uint32_t> sources;
  std::vector<std::uint32_t> targets;
  std::vector<std::uint32_t> rules;
};
SentenceCounts count_sentences(const TableView& table, std::span<const WordId> source_ids,
                               std::span<const WordId> target_ids, const align::Lengths& lengths,
                               Progress& progress);

// -ln of the probability that so many of the sentence pairs, or more, have both phrases by chance:
// the upper tail of the hypergeometric distribution, Fisher's exact test (equation 5 there).
class FisherTest {
 public:
  explicit FisherTest(std::uint64_t sentences);
  double negative_log_p(std::uint64_t source, std::uint64_t target, std::uint64_t both) const;

 private:
  double log_choose(std::uint64_t n, std::uint64_t k) const {
    return log_factorial_[n] - log_factorial_[k] - log_factorial_[n - k];
  }

  std::uint64_t sentences_;
  std::vector<double> log_factorial_;
};

}  // namespace miriam::rules
