// One symmetric alignment from those of both directions.
#pragma once

#include "align/links.hh"

namespace miriam::align {

// The heuristics of Koehn, Och and Marcu (2003), and of Moses.
enum class Symmetrisation {
  intersection,
  union_,
  grow,                 // the intersection, and neighbours of its points in the union
  grow_diag,            // diagonal neighbours too
  grow_diag_final,      // and links of words of which one is not aligned yet
  grow_diag_final_and,  // and links of words of which neither is
};

// `forward` gives each target word its source words, `reverse` each source word its target words;
// the final steps take the links of `forward` before those of `reverse`.
Links symmetrise(const LinksView& forward, const LinksView& reverse, Symmetrisation how);

}  // namespace miriam::align
