// Interpolated modified Kneser-Ney (Chen and Goodman 1998; Heafield et al. 2013), in bounded
// memory.
//
// 1. Add sentences; their n-grams of the highest order are sorted into suffix order.
// 2. count() streams them once for the adjusted counts of all orders.
// 3. estimate() takes the orders from the highest down: sorted into context order, an order yields
//    the back-off weights of the order below. A last pass over all orders at once, context within
//    context, yields the probabilities.
// 4. The n-grams of each order can then be read as often as wanted.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/progress.hh"
#include "lexicon/vocabulary.hh"
#include "lm/arpa.hh"
#include "lm/counts.hh"
#include "lm/records.hh"

namespace miriam::lm {

struct EstimatorSettings {
  std::size_t order = 5;
  std::uint64_t memory = std::uint64_t{1} << 30;  // bytes
  unsigned threads = 1;
  std::string folder = "/tmp";            // of temporary files
  std::vector<std::uint32_t> thresholds;  // of pruning; the last goes for the orders above
};

class Estimator {
 public:
  explicit Estimator(EstimatorSettings settings);

  // Takes up lines of tokens; `first_line` is the number of the first, for messages.
  void add(std::string_view text, std::uint64_t first_line);
  // Leaves out of the model all words but these and the `most` most frequent ones.
  void limit_vocabulary(std::string_view words);
  void limit_vocabulary(std::size_t most);
  void count(Progress& progress);
  void estimate(Progress& progress);

  std::size_t order() const { return settings_.order; }
  const lexicon::Vocabulary& vocabulary() const { return vocabulary_; }
  std::span<const Discount> discounts() const { return discounts_; }
  // What was estimated: to be written, or built into a table.
  NgramSource source() const;
  BuiltModel build(Progress& progress) const;
  // The number of n-grams of an order; <unk> and <s>, which no text has, are among the unigrams.
  std::uint64_t kept(std::size_t n) const { return statistics_[n - 1].kept + (n == 1 ? 2 : 0); }

 private:
  class Interpolation;

  void weigh_contexts(std::size_t n, Progress& progress);
  void estimate_unigrams();
  void write_unigrams();
  std::unique_ptr<Sorter> context_sorter(std::size_t n) const;
  void push_in_context_order(std::span<const WordId> words, std::uint32_t count, float backoff);

  EstimatorSettings settings_;
  Workspace workspace_;
  lexicon::Vocabulary vocabulary_ = special_words();
  std::vector<std::uint64_t> occurrences_;  // by word
  Pruning pruning_;
  std::optional<NgramSorter> text_;
  std::vector<Discount> discounts_;
  std::vector<CountStatistics> statistics_;
  std::vector<std::uint32_t> unigram_counts_;        // packed
  std::vector<double> unigrams_;                     // probabilities
  std::vector<float> unigram_backoffs_;              // log10
  std::vector<std::unique_ptr<Sequence>> suffixes_;  // by order - 1: n-grams in suffix order
  std::vector<std::unique_ptr<Sorter>> contexts_;    // by order - 1: n-grams in context order
  std::vector<std::unique_ptr<Sequence>> ngrams_;    // by order - 1: words and weights
};

}  // namespace miriam::lm
