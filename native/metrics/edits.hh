// Edit distances from candidates to the references of one sentence, 64 reference positions at a
// time.
//
// Myers (1999), in Hyyro's form for the distance of whole strings (2003): a column of the dynamic
// programme is kept as the signs of the differences between neighbouring cells, one bit each.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "metrics/flat_map.hh"
#include "metrics/sequences.hh"

namespace miriam::metrics {

class EditReferences {
 public:
  static constexpr std::size_t kColumns = 2;

  explicit EditReferences(const Sequences& references);

  // A row for each candidate: insertions, deletions and substitutions, and the reference's length;
  // against the reference with the lowest ratio of the two (of equals, the one with fewest edits).
  std::vector<double> stats(const Sequences& candidates) const;

 private:
  struct Reference {
    std::size_t length, first_block, blocks;
  };
  struct Block {  // bits where the cell is one more, or one less, than the cell above it
    std::uint64_t more, less;
  };
  std::size_t distance(const Reference& reference, const std::vector<std::uint32_t>& rows,
                       std::vector<Block>& column) const;

  std::vector<Reference> references_;
  std::size_t blocks_ = 0;            // of all references
  FlatMap rows_;                      // id -> row of masks_; row 0 is of ids in no reference
  std::vector<std::uint64_t> masks_;  // [row][block]: the positions at which the id stands
};

}  // namespace miriam::metrics
