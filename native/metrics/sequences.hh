// Several sequences of ids in one array, as NumPy hands them over.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/error.hh"

namespace miriam::metrics {

using Id = std::uint32_t;
using Sequence = std::span<const Id>;

// Sequence i is ids[offsets[i], offsets[i + 1]). A view: the arrays must outlive it.
class Sequences {
 public:
  Sequences(Sequence ids, std::span<const std::int64_t> offsets) : ids_(ids), offsets_(offsets) {
    bool ok = !offsets.empty() && offsets.front() == 0 &&
              offsets.back() == static_cast<std::int64_t>(ids.size());
    for (std::size_t i = 1; ok && i < offsets.size(); ++i) ok = offsets[i - 1] <= offsets[i];
    if (!ok) throw ConfigError("offsets must rise from 0 to the number of ids");
  }

  std::size_t size() const { return offsets_.size() - 1; }
  std::size_t total() const { return ids_.size(); }

  Sequence operator[](std::size_t i) const {
    const auto begin = static_cast<std::size_t>(offsets_[i]);
    return ids_.subspan(begin, static_cast<std::size_t>(offsets_[i + 1]) - begin);
  }

 private:
  Sequence ids_;
  std::span<const std::int64_t> offsets_;
};

// The same, refused if there is none: a sentence without references has no score.
inline const Sequences& at_least_one(const Sequences& references) {
  if (references.size() == 0) throw ConfigError("a sentence needs at least one reference");
  return references;
}

}  // namespace miriam::metrics
