// The phrase pairs of a sentence pair that are consistent with its word alignment (Och et al. 1999;
// Koehn, Och and Marcu 2003), and the corners of such pairs, which hierarchical orientations need.
//
// A pair of spans is consistent if it holds a link and no link leads out of it. A target span
// fixes the smallest source span around its links; the pair is consistent iff both spans have the
// same number of links, a difference of prefix sums. Unaligned words beside it may join or not.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "align/links.hh"

namespace miriam::rules {

// A sentence longer than this has a matrix of marks that no cache holds, and is no sentence.
inline constexpr std::uint32_t kMaxWords = 4000;

// Half-open spans of a sentence pair.
struct PhrasePair {
  int source_begin, source_end, target_begin, target_end;
};

// What is known of a cell of the alignment matrix; a corner is one of some consistent phrase pair.
enum Mark : std::uint8_t {
  kLink = 1,
  kShortLeft = 2,   // the bottom left corner of an extracted pair: first source, last target word
  kShortRight = 4,  // the bottom right corner: last source, last target word
  kLeft = 8,        // the same of pairs of any length
  kRight = 16,
  kTopLeft = 32,  // first source, first target word
  kTopRight = 64,
};

// Column `source`, row `target`; the sentence's start (-1, -1) and end are cells of their own.
class Matrix {
 public:
  void reset(int source_words, int target_words);
  std::uint8_t& at(int source, int target) { return cells_[index(source, target)]; }
  std::uint8_t at(int source, int target) const { return cells_[index(source, target)]; }
  int source_words() const { return sources_; }
  int target_words() const { return targets_; }

 private:
  std::size_t index(int source, int target) const {
    return static_cast<std::size_t>(target + 1) * static_cast<std::size_t>(sources_ + 2) +
           static_cast<std::size_t>(source + 1);
  }

  int sources_ = 0;
  int targets_ = 0;
  std::vector<std::uint8_t> cells_;
};

// Finds phrase pairs; its buffers are used again for the next sentence.
class SpanFinder {
 public:
  // `any_length`: also mark the corners of pairs longer than `max_length`.
  SpanFinder(int max_length, bool any_length) : max_length_(max_length), any_length_(any_length) {}

  // The consistent pairs of at most `max_length` words a side, by target span; marks the matrix.
  std::span<const PhrasePair> find(int source_words, int target_words,
                                   std::span<const align::Link> links);
  const Matrix& matrix() const { return matrix_; }

 private:
  struct Extent {
    int first, last;  // the nearest places to which unaligned words reach, both inclusive
  };

  void prepare(std::span<const align::Link> links);
  void meet(int target_begin, int target_end, int first, int last);
  void mark_any(int target_begin, int target_end, int first, int last);

  int max_length_;
  bool any_length_;
  Matrix matrix_;
  std::vector<int> source_links_;  // how many links the words before i have
  std::vector<int> target_links_;
  std::vector<Extent> reach_;    // of each source word, over the unaligned words beside it
  std::vector<Extent> covered_;  // of each target word: its first and last source word
  std::vector<PhrasePair> pairs_;
};

}  // namespace miriam::rules
