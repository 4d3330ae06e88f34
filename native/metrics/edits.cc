#include "metrics/edits.hh"

namespace miriam::metrics {

EditReferences::EditReferences(const Sequences& references)
    : rows_(at_least_one(references).total()) {
  for (std::size_t r = 0; r < references.size(); ++r) {
    const std::size_t length = references[r].size(), blocks = (length + 63) / 64;
    references_.push_back({length, blocks_, blocks});
    blocks_ += blocks;
  }
  masks_.resize(blocks_, 0);
  std::uint32_t rows = 1;
  for (std::size_t r = 0; r < references.size(); ++r) {
    const Sequence reference = references[r];
    for (std::size_t i = 0; i < reference.size(); ++i) {
      if (reference[i] == kNoMatch) continue;
      std::uint32_t& row = rows_[reference[i]];
      if (row == 0) {
        row = rows++;
        masks_.resize(rows * blocks_, 0);
      }
      masks_[row * blocks_ + references_[r].first_block + i / 64] |= std::uint64_t{1} << i % 64;
    }
  }
}

std::size_t EditReferences::distance(const Reference& reference,
                                     const std::vector<std::uint32_t>& rows,
                                     std::vector<Block>& column) const {
  if (reference.length == 0) return rows.size();
  column.assign(reference.blocks, {~std::uint64_t{0}, 0});
  const unsigned last = (reference.length - 1) % 64;
  std::size_t distance = reference.length;
  for (const std::uint32_t row : rows) {
    const std::uint64_t* masks = &masks_[row * blocks_ + reference.first_block];
    // The difference to the cell on the left, carried from block to block; it is 1 in the top row.
    std::uint64_t carry_more = 1, carry_less = 0;
    for (std::size_t b = 0; b < reference.blocks; ++b) {
      auto& [more, less] = column[b];
      const std::uint64_t equal = masks[b] | carry_less;
      const std::uint64_t diagonal = (((equal & more) + more) ^ more) | equal;
      std::uint64_t right_more = less | ~(diagonal | more), right_less = more & diagonal;
      if (b + 1 == reference.blocks) {
        distance += right_more >> last & 1;
        distance -= right_less >> last & 1;
      }
      const std::uint64_t out_more = right_more >> 63, out_less = right_less >> 63;
      right_more = right_more << 1 | carry_more;
      right_less = right_less << 1 | carry_less;
      const std::uint64_t vertical = masks[b] | less;
      more = right_less | ~(vertical | right_more);
      less = right_more & vertical;
      carry_more = out_more;
      carry_less = out_less;
    }
  }
  return distance;
}

std::vector<double> EditReferences::stats(const Sequences& candidates) const {
  std::vector<double> table;
  table.reserve(candidates.size() * kColumns);
  std::vector<std::uint32_t> rows;
  std::vector<Block> column;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    rows.clear();
    for (const Id id : candidates[i]) rows.push_back(rows_.find(id));
    std::size_t edits = 0, length = 0;
    bool first = true;
    for (const Reference& reference : references_) {
      const std::size_t d = distance(reference, rows, column);
      // edits / length, compared without dividing by 0
      const std::size_t ours = d * length, best = edits * reference.length;
      if (first || ours < best || (ours == best && d < edits)) {
        edits = d;
        length = reference.length;
        first = false;
      }
    }
    table.push_back(static_cast<double>(edits));
    table.push_back(static_cast<double>(length));
  }
  return table;
}

}  // namespace miriam::metrics
