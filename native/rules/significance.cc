#include "rules/significance.hh"

#include <algorithm>
#include <cmath>

#include "base/error.hh"

namespace miriam::rules {
namespace {

constexpr double kNegligible = 1e-18;

// Calls found(number) for each occurrence in the sentence of a phrase of the index.
template <class Found>
void for_each_known(const PhraseIndex& index, std::span<const WordId> sentence, std::size_t longest,
                    const Found& found) {
  for (std::size_t begin = 0; begin < sentence.size(); ++begin) {
    const std::size_t stop = std::min(longest, sentence.size() - begin);
    for (std::size_t length = 1; length <= stop; ++length) {
      const std::size_t number = index.find(sentence.subspan(begin, length));
      if (number != index.size()) found(number);
    }
  }
}

// The target phrases of a table as an index: they are sorted by hash, as the source phrases are.
class TargetIndex {
 public:
  explicit TargetIndex(const TableView& table) {
    heads_.push_back({});
    std::vector<std::uint64_t> hashes;
    for (std::size_t i = 0; i < table.target_count(); ++i) {
      const auto words = table.target_phrase(i);
      words_.insert(words_.end(), words.begin(), words.end());
      heads_.push_back({words_.size(), 0});
      hashes.push_back(hash_phrase(words));
    }
    const std::size_t buckets = bucket_count(hashes.size());
    buckets_ = make_buckets(hashes, 0, 0, buckets, buckets);
  }
  PhraseIndex view() const { return {buckets_, heads_, words_}; }

 private:
  std::vector<WordId> words_;
  std::vector<Head> heads_;
  std::vector<Bucket> buckets_;
};

std::size_t longest(const PhraseIndex& index) {
  std::size_t length = 0;
  for (std::size_t i = 0; i < index.size(); ++i) length = std::max(length, index.phrase(i).size());
  return length;
}

}  // namespace

SentenceCounts count_sentences(const TableView& table, std::span<const WordId> source_ids,
                               std::span<const WordId> target_ids, const align::Lengths& lengths,
                               Progress& progress) {
  const TargetIndex owned(table);
  const PhraseIndex& sources = table.sources();
  const PhraseIndex targets = owned.view();
  const std::size_t longest_source = longest(sources);
  const std::size_t longest_target = longest(targets);
  SentenceCounts counts{std::vector<std::uint32_t>(sources.size()),
                        std::vector<std::uint32_t>(targets.size()),
                        std::vector<std::uint32_t>(table.size())};
  // The last sentence (from 1) in which each target phrase was seen.
  std::vector<std::uint64_t> seen(targets.size());
  std::vector<std::size_t> found;
  progress.expect(lengths.size());
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    for_each_known(targets, piece(target_ids, lengths.target_ends, i), longest_target,
                   [&](std::size_t number) {
                     counts.targets[number] += seen[number] != i + 1;
                     seen[number] = i + 1;
                   });
    found.clear();
    for_each_known(sources, piece(source_ids, lengths.source_ends, i), longest_source,
                   [&](std::size_t number) { found.push_back(number); });
    std::sort(found.begin(), found.end());
    found.erase(std::unique(found.begin(), found.end()), found.end());
    for (const std::size_t number : found) {
      ++counts.sources[number];
      const RuleRange rules = table.rules(number);
      for (std::uint64_t rule = rules.begin; rule < rules.end; ++rule) {
        counts.rules[rule] += seen[table.target_number(rule)] == i + 1;
      }
    }
    progress.advance();
  }
  return counts;
}

FisherTest::FisherTest(std::uint64_t sentences)
    : sentences_(sentences), log_factorial_(sentences + 1) {
  for (std::uint64_t i = 1; i <= sentences; ++i) {
    log_factorial_[i] = log_factorial_[i - 1] + std::log(static_cast<double>(i));
  }
}

// The largest term of the tail is summed first and the others are added as ratios to it, so nothing
// overflows, however unlikely the counts are.
double FisherTest::negative_log_p(std::uint64_t source, std::uint64_t target,
                                  std::uint64_t both) const {
  if (source > sentences_ || target > sentences_ || both > std::min(source, target)) {
    throw ConfigError("a rule is seen in more sentence pairs than its phrases or the bitext");
  }
  const std::uint64_t most = std::min(source, target);
  const std::uint64_t least =
      std::max(both, source + target > sentences_ ? source + target - sentences_ : 0);
  const std::uint64_t mode = (source + 1) * (target + 1) / (sentences_ + 2);
  const std::uint64_t top = std::clamp(mode, least, most);
  const auto n = static_cast<double>(sentences_);
  const auto s = static_cast<double>(source);
  const auto t = static_cast<double>(target);
  const auto ratio = [&](std::uint64_t k) {  // of term k + 1 to term k
    const auto x = static_cast<double>(k);
    return (s - x) * (t - x) / ((x + 1) * (n - s - t + x + 1));
  };
  double sum = 1;
  double term = 1;
  for (std::uint64_t k = top; k < most && term > kNegligible; ++k) sum += term *= ratio(k);
  term = 1;
  for (std::uint64_t k = top; k > least && term > kNegligible; --k) sum += term /= ratio(k - 1);
  const double largest = log_choose(source, top) + log_choose(sentences_ - source, target - top) -
                         log_choose(sentences_, target);
  return std::max(0.0, -(largest + std::log(sum)));
}

}  // namespace miriam::rules
