// Translation probabilities of both directions over the word pairs that occur together.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "align/bitext.hh"
#include "align/matrix.hh"

namespace miriam::align {

// Of a word pair: t(target | source) and t(source | target). Of a word: t(word | NULL).
struct Translation {
  float forward = 0.0f;
  float reverse = 0.0f;
};

// Every translation has at least this probability: so no sentence pair is impossible, unseen words
// have an alignment, and what is less likely need not be stored.
inline constexpr float kFloor = 1e-7f;

// A table that lies elsewhere; a word with an id beyond the table is an unseen one.
struct TableView {
  std::span<const std::uint64_t> row_ends;  // by source word, in `targets`
  std::span<const WordId> targets;          // sorted within the row
  std::span<const Translation> translations;
  std::span<const float> target_null, source_null;

  Translation find(WordId source, WordId target) const {
    if (source >= row_ends.size()) return {};
    const std::uint64_t begin = source == 0 ? 0 : row_ends[source - 1];
    const auto row = targets.subspan(begin, row_ends[source] - begin);
    const auto found = std::lower_bound(row.begin(), row.end(), target);
    if (found == row.end() || *found != target) return {};
    return translations[begin + static_cast<std::uint64_t>(found - row.begin())];
  }
};

struct Table {
  std::vector<std::uint64_t> row_ends;
  std::vector<WordId> targets;
  std::vector<Translation> translations;
  std::vector<float> target_null, source_null;
};

// The matrices of a sentence pair, one a direction, as position models take them.
struct PairCells {
  Matrix forward;  // a row for each target word, a column for each source word
  Matrix reverse;  // a row for each source word, a column for each target word
};

// Fills the matrices; translation(i, j) is that of source word i and target word j.
template <class Find>
void fill(PairCells& cells, std::span<const WordId> source, std::span<const WordId> target,
          const Find& translation, std::span<const float> source_null,
          std::span<const float> target_null) {
  const auto null_of = [](std::span<const float> nulls, WordId word) {
    return std::max(kFloor, word < nulls.size() ? nulls[word] : 0.0f);
  };
  cells.forward.reset(target.size(), source.size() + 1);
  cells.reverse.reset(source.size(), target.size() + 1);
  for (std::size_t j = 0; j < target.size(); ++j) {
    cells.forward[j][0] = null_of(target_null, target[j]);
  }
  for (std::size_t i = 0; i < source.size(); ++i) {
    float* row = cells.reverse[i];
    row[0] = null_of(source_null, source[i]);
    for (std::size_t j = 0; j < target.size(); ++j) {
      const Translation found = translation(i, j);
      row[j + 1] = std::max(kFloor, found.reverse);
      cells.forward[j][i + 1] = std::max(kFloor, found.forward);
    }
  }
}

}  // namespace miriam::align
