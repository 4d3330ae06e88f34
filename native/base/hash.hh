// The one hash of the core: for words, n-grams and phrases, in memory and in files.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace miriam {

// Spreads the bits of a key over the whole word (the finaliser of SplitMix64; a bijection).
constexpr std::uint64_t mix(std::uint64_t key) {
  key ^= key >> 30;
  key *= 0xbf58476d1ce4e5b9u;
  key ^= key >> 27;
  key *= 0x94d049bb133111ebu;
  return key ^ (key >> 31);
}

// The hash of `key` in the context of an earlier hash: order matters.
constexpr std::uint64_t combine(std::uint64_t hash, std::uint64_t key) {
  return mix(hash * 0x9e3779b97f4a7c15u + key + 1);
}

// The hash of a run of bytes; the same on every little-endian machine.
inline std::uint64_t hash_bytes(std::string_view bytes) {
  std::uint64_t hash = bytes.size();
  const char* at = bytes.data();
  std::size_t left = bytes.size();
  for (; left >= sizeof(std::uint64_t); at += 8, left -= 8) {
    std::uint64_t word;
    std::memcpy(&word, at, sizeof word);
    hash = combine(hash, word);
  }
  if (left > 0) {
    std::uint64_t word = 0;
    std::memcpy(&word, at, left);
    hash = combine(hash, word);
  }
  return hash;
}

}  // namespace miriam
