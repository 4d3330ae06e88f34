// How a phrase pair lies to what precedes and follows it on the target side: lexicalised reordering
// (Koehn et al. 2005; Galley and Manning 2008), as Moses learns it or by definition.
#pragma once

#include <cstddef>
#include <cstdint>

#include "rules/spans.hh"

namespace miriam::rules {

// What the neighbour must be. `kHierarchical` and the two before it reproduce Moses' tables;
// `kSymmetric` is the definition of Galley and Manning, the same forwards and backwards.
enum class Reordering : std::uint8_t { kWord, kPhrase, kHierarchical, kSymmetric };

// Of a phrase pair to its neighbour. Left and right are discontinuous, and say where the phrase
// that comes later on the target side lies; where neither is known, right is taken.
enum class Orientation : std::uint8_t { kMonotone, kSwap, kLeft, kRight };
inline constexpr std::size_t kOrientations = 4;

Orientation with_previous(const Matrix& matrix, const PhrasePair& pair, Reordering kind);
Orientation with_next(const Matrix& matrix, const PhrasePair& pair, Reordering kind);

}  // namespace miriam::rules
