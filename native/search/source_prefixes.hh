// Which sequences of words and gaps begin some source side: a filter in front of the rule tables.
//
// Tables answer for whole source sides alone. The filter keeps two bits for the hash of each
// beginning of each side, and so says of nearly all other sequences that no rule goes on from them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "search/model.hh"

namespace miriam::search {

class SourcePrefixes {
 public:
  explicit SourcePrefixes(std::span<const TableUse> tables);

  // False only if no source side begins with the sequence that has this hash.
  bool may_begin(std::uint64_t hash) const {
    const std::uint64_t mask = mask_of(hash);
    return (bits_[(hash >> 16) & (bits_.size() - 1)] & mask) == mask;
  }

 private:
  static std::uint64_t mask_of(std::uint64_t hash) {
    return std::uint64_t{1} << (hash & 63) | std::uint64_t{1} << (hash >> 6 & 63);
  }

  std::vector<std::uint64_t> bits_;  // as many words as a power of two
};

}  // namespace miriam::search
