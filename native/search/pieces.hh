// The target side of a rule as pieces of words with the gaps between them.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "search/model.hh"

namespace miriam::search {

struct Pieces {
  std::array<std::span<const WordId>, rules::kMaxGaps + 1> words;  // before, between, behind gaps
  std::array<std::uint8_t, rules::kMaxGaps> gaps{};                // which gap follows each piece
  std::uint8_t gap_count = 0;

  std::size_t word_count() const {
    std::size_t count = 0;
    for (const auto& piece : words) count += piece.size();
    return count;
  }
};

inline Pieces pieces_of(const Model& model, std::span<const WordId> target) {
  Pieces pieces;
  std::size_t begin = 0;
  for (std::size_t at = 0; at < target.size(); ++at) {
    const std::size_t gap = model.gap_of(target[at]);
    if (gap == rules::kMaxGaps) continue;
    pieces.words[pieces.gap_count] = target.subspan(begin, at - begin);
    pieces.gaps[pieces.gap_count++] = static_cast<std::uint8_t>(gap);
    begin = at + 1;
  }
  pieces.words[pieces.gap_count] = target.subspan(begin);
  return pieces;
}

}  // namespace miriam::search
