#include "rules/orientation.hh"

namespace miriam::rules {
namespace {

// The row beside a phrase pair: `mono` and `swap` are the source positions next to the pair on the
// side where the neighbour lies in monotone and in swapped order, `step` leads away on the former.
struct Side {
  int row, mono, swap, step;
};

// The marks that make a neighbour: of a block that ends (begins) where the pair begins (ends).
struct Marks {
  std::uint8_t mono, swap;
};

bool any_beyond(const Matrix& matrix, int from, int stop, int row, std::uint8_t mark, int step) {
  for (int i = from + step; i != stop && i >= 0 && i < matrix.source_words(); i += step) {
    if (matrix.at(i, row) & mark) return true;
  }
  return false;
}

Marks bottom_corners(Reordering kind, bool forward) {
  const std::uint8_t left = kind == Reordering::kHierarchical ? kLeft : kShortLeft;
  const std::uint8_t right = kind == Reordering::kHierarchical ? kRight : kShortRight;
  if (kind == Reordering::kWord) return {kLink, kLink};
  return forward ? Marks{left, right} : Marks{right, left};
}

// The rule that reproduces Moses' tables, found from the tables alone.
//
// - A link of the neighbouring word decides, unless both neighbours are linked; corners come next,
//   and monotone wins.
// - Towards the next phrase, too, Moses looks at bottom corners: the following block has to be one
//   that ends in the very next target word.
// - A block to the right of which nothing follows (it begins at the last source word) does not make
//   the pair before it discontinuous to the left.
Orientation like_moses(const Matrix& matrix, const Side& side, Reordering kind) {
  const bool forward = side.step > 0;
  const bool mono_link = matrix.at(side.mono, side.row) & kLink;
  const bool swap_link = matrix.at(side.swap, side.row) & kLink;
  const Marks marks = bottom_corners(kind, forward);
  const bool corners = kind != Reordering::kWord;
  if (mono_link && !swap_link) return Orientation::kMonotone;
  if (corners && (matrix.at(side.mono, side.row) & marks.mono)) return Orientation::kMonotone;
  if (swap_link && !mono_link) return Orientation::kSwap;
  if (corners && (matrix.at(side.swap, side.row) & marks.swap)) return Orientation::kSwap;
  if (any_beyond(matrix, side.mono, -1, side.row, marks.mono, side.step)) {
    return Orientation::kRight;
  }
  const int stop = forward ? -1 : matrix.source_words() - 1;
  return any_beyond(matrix, side.swap, stop, side.row, marks.swap, -side.step)
             ? Orientation::kLeft
             : Orientation::kRight;
}

Orientation by_definition(const Matrix& matrix, const Side& side) {
  const bool forward = side.step > 0;
  const Marks marks = forward ? Marks{kTopLeft, kTopRight} : Marks{kRight, kLeft};
  const bool mono = matrix.at(side.mono, side.row) & marks.mono;
  const bool swap = matrix.at(side.swap, side.row) & marks.swap;
  if (mono && !swap) return Orientation::kMonotone;
  if (swap && !mono) return Orientation::kSwap;
  const int before_swap = side.swap + side.step;
  return any_beyond(matrix, before_swap, -1, side.row, marks.swap, -side.step)
             ? Orientation::kLeft
             : Orientation::kRight;
}

Orientation orientation(const Matrix& matrix, const Side& side, Reordering kind) {
  return kind == Reordering::kSymmetric ? by_definition(matrix, side)
                                        : like_moses(matrix, side, kind);
}

}  // namespace

Orientation with_previous(const Matrix& matrix, const PhrasePair& pair, Reordering kind) {
  return orientation(matrix, {pair.target_begin - 1, pair.source_begin - 1, pair.source_end, -1},
                     kind);
}

Orientation with_next(const Matrix& matrix, const PhrasePair& pair, Reordering kind) {
  return orientation(matrix, {pair.target_end, pair.source_end, pair.source_begin - 1, 1}, kind);
}

}  // namespace miriam::rules
