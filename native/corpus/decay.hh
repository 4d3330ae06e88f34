// Sentences chosen for what they say of a text: feature-decay selection (Biçici and Yuret 2011).
//
// Features are the n-grams of the text. With U for the pool and its words, a feature is worth
// v(f) = (ln |U| - ln count(f, U)) / (1 + count(f, chosen)) and a sentence s the sum of
// v(f) count(f, s) over its features, divided by its words. The best sentence is chosen, what it
// has loses worth, and so on. Worth only falls, so a score that is out of date is a bound: the best
// of the queue is scored again, and chosen if it is still the best.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/progress.hh"

namespace miriam::corpus {

// A word of the pool that the text does not have; n-grams do not reach over it.
inline constexpr std::uint32_t kOtherWord = 0xffffffff;

struct Lines {
  std::span<const std::uint32_t> words;
  std::span<const std::uint64_t> ends;  // of each line
};

struct Chosen {
  std::vector<std::uint32_t> lines;  // in the order of the choice
  std::vector<double> scores;        // of each when it was chosen
};

// At most `count` lines of the pool; fewer where no other has anything to say of the text. Of lines
// with the same score the first is chosen. Throws ConfigError if ends are not in order.
Chosen choose_by_decay(const Lines& pool, const Lines& text, std::uint32_t longest,
                       std::size_t count, Progress& progress);

}  // namespace miriam::corpus
