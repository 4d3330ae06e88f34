// Several sequences of ids in one array, as NumPy hands them over.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

#include "base/error.hh"

namespace miriam::metrics {

using Id = std::uint32_t;
using Sequence = std::span<const Id>;

// The id of a word that a vocabulary does not have (lexicon's kNoWord). It matches nothing, not
// even itself, because two such words may be different ones.
inline constexpr Id kNoMatch = std::numeric_limits<Id>::max();

// Sequence i is ids[ends[i - 1], ends[i]). A view: the arrays must outlive it.
class Sequences {
 public:
  Sequences(Sequence ids, std::span<const std::uint64_t> ends) : ids_(ids), ends_(ends) {
    if ((ends.empty() ? 0 : ends.back()) != ids.size() || !std::ranges::is_sorted(ends)) {
      throw ConfigError("the ends of sequences must rise to the number of ids");
    }
  }

  std::size_t size() const { return ends_.size(); }
  std::size_t total() const { return ids_.size(); }

  Sequence operator[](std::size_t i) const {
    const std::uint64_t begin = i == 0 ? 0 : ends_[i - 1];
    return ids_.subspan(begin, ends_[i] - begin);
  }

 private:
  Sequence ids_;
  std::span<const std::uint64_t> ends_;
};

// The same, refused if there is none: a sentence without references has no score.
inline const Sequences& at_least_one(const Sequences& references) {
  if (references.size() == 0) throw ConfigError("a sentence needs at least one reference");
  return references;
}

}  // namespace miriam::metrics
