// A bitext as the core sees it: views of the word ids of both sides.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace miriam::align {

using WordId = std::uint32_t;

// Sentences of word ids that lie elsewhere, one after another.
struct SentencesView {
  std::span<const WordId> ids;
  std::span<const std::uint64_t> ends;  // where each sentence ends in `ids`

  std::size_t size() const { return ends.size(); }
  std::span<const WordId> operator[](std::size_t i) const {
    const std::uint64_t begin = i == 0 ? 0 : ends[i - 1];
    return ids.subspan(begin, ends[i] - begin);
  }
};

struct Bitext {
  SentencesView source;
  SentencesView target;

  std::size_t size() const { return source.size(); }
};

// Sentence pairs that one task works on; the number depends on nothing but the bitext.
inline constexpr std::size_t kPairsPerTask = 128;

constexpr std::size_t tasks_for(std::size_t pairs) {
  return (pairs + kPairsPerTask - 1) / kPairsPerTask;
}

}  // namespace miriam::align
