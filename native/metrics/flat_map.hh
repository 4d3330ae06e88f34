// A hash table from 64-bit keys to numbers above 0, of a size that is known when it is made.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/hash.hh"

namespace miriam::metrics {

class FlatMap {
 public:
  // Room for `entries` keys, at most half full: a look-up takes a probe or two.
  explicit FlatMap(std::size_t entries)
      : slots_(std::bit_ceil(2 * entries + 1)), mask_(slots_.size() - 1) {}

  // The value of a key, or 0.
  std::uint32_t find(std::uint64_t key) const { return slots_[slot(key)].value; }

  // The value of a key, to be set to something other than 0 if it is 0.
  std::uint32_t& operator[](std::uint64_t key) {
    Slot& found = slots_[slot(key)];
    found.key = key;
    return found.value;
  }

 private:
  struct Slot {
    std::uint64_t key = 0;
    std::uint32_t value = 0;  // 0: free
  };

  std::size_t slot(std::uint64_t key) const {
    std::size_t i = mix(key) & mask_;
    while (slots_[i].value != 0 && slots_[i].key != key) i = (i + 1) & mask_;
    return i;
  }

  std::vector<Slot> slots_;
  std::size_t mask_;
};

}  // namespace miriam::metrics
