#include "rules/matching.hh"

#include <algorithm>

#include "lexicon/vocabulary.hh"

namespace miriam::rules {
namespace {

// Tries every source side that a sentence has, from each of its words.
class Matcher {
 public:
  Matcher(const PhraseIndex& index, const MatchOptions& options, Progress& progress)
      : index_(index), options_(options), progress_(progress) {}

  // The numbers of those in the table, in rising order.
  std::span<const std::uint64_t> match(std::span<const WordId> sentence) {
    found_.clear();
    for (std::size_t begin = 0; begin < sentence.size(); ++begin) {
      extend(sentence.subspan(begin, std::min(options_.max_span, sentence.size() - begin)));
      progress_.advance();
    }
    std::ranges::sort(found_);
    const auto again = std::ranges::unique(found_);
    found_.erase(again.begin(), again.end());
    return found_;
  }

 private:
  // Goes on from the source side at hand with the words that are left.
  void extend(std::span<const WordId> left) {
    if (left.empty() || symbols_.size() == options_.max_symbols) return;
    if (left[0] != lexicon::kNoWord) {
      push(left[0]);
      extend(left.subspan(1));
      symbols_.pop_back();
    }
    if (gaps_used_ == options_.gaps.size()) return;
    push(options_.gaps[gaps_used_++]);
    for (std::size_t length = 1; length <= left.size(); ++length) extend(left.subspan(length));
    symbols_.pop_back();
    --gaps_used_;
  }

  void push(WordId symbol) {
    symbols_.push_back(symbol);
    const std::size_t number = index_.find(symbols_);
    if (number != index_.size()) found_.push_back(number);
  }

  const PhraseIndex& index_;
  const MatchOptions& options_;
  Progress& progress_;
  std::vector<WordId> symbols_;
  std::size_t gaps_used_ = 0;
  std::vector<std::uint64_t> found_;
};

}  // namespace

Matches match_sources(const PhraseIndex& index, std::span<const WordId> words,
                      std::span<const std::uint64_t> ends, const MatchOptions& options,
                      Progress& progress) {
  Matcher matcher(index, options, progress);
  Matches matches;
  matches.ends.reserve(ends.size());
  progress.expect(words.size());
  for (std::size_t i = 0; i < ends.size(); ++i) {
    const auto found = matcher.match(piece(words, ends, i));
    matches.sources.insert(matches.sources.end(), found.begin(), found.end());
    matches.ends.push_back(matches.sources.size());
  }
  return matches;
}

}  // namespace miriam::rules
