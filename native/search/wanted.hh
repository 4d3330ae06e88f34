// A required translation, as a decoder that builds sentences from spans follows it.
//
// A span takes each place of the required words to the place behind it, or nowhere. Spans that do
// the same are numbered alike: what may be put around them is the same.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/intern.hh"
#include "search/sentence.hh"

namespace miriam::search {

class Wanted {
 public:
  explicit Wanted(const Sentence& sentence)
      : words_(sentence.target), whole_(sentence.target_use == Target::whole) {}

  // Words one after another; kNone if they are nowhere in the translation.
  std::uint32_t words(std::span<const WordId> words);
  // Two spans, neither of them kNone, side by side.
  std::uint32_t join(std::uint32_t first, std::uint32_t second);
  // The place behind a span that is put to a place; kNone if it cannot be.
  std::uint32_t behind(std::uint32_t place, std::uint32_t span) const {
    return moves_[span][place];
  }
  // The place at which a translation may end.
  bool done(std::uint32_t place) const { return place == words_.size(); }

 private:
  template <class Move>
  std::uint32_t number(const Move& move);

  std::span<const WordId> words_;
  bool whole_;
  SequenceTable moves_;
  PairMemo<std::uint32_t> joined_;
  std::vector<std::uint32_t> places_;  // a buffer
};

template <class Move>
std::uint32_t Wanted::number(const Move& move) {
  places_.clear();
  bool possible = false;
  for (std::uint32_t place = 0; place <= words_.size(); ++place) {
    places_.push_back(move(place));
    possible = possible || places_.back() != kNone;
  }
  return possible ? moves_.intern(places_) : kNone;
}

inline std::uint32_t Wanted::words(std::span<const WordId> words) {
  return number([&](std::uint32_t place) {
    for (const WordId word : words) {
      if (place == words_.size()) return whole_ ? kNone : place;
      if (words_[place++] != word) return kNone;
    }
    return place;
  });
}

inline std::uint32_t Wanted::join(std::uint32_t first, std::uint32_t second) {
  return joined_.get(first, second, [&] {
    return number([&](std::uint32_t place) {
      const std::uint32_t between = moves_[first][place];
      return between == kNone ? kNone : moves_[second][between];
    });
  });
}

}  // namespace miriam::search
