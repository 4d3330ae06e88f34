// Which source words a hypothesis has translated: the first gap, and a bit window that starts
// there.
//
// Everything before the gap is covered. A phrase may reach at most kWindow words past the gap; with
// a distortion limit d and phrases of at most m words nothing ever needs more than d + m.
#pragma once

#include <bit>
#include <cstdint>

#include "base/hash.hh"

namespace miriam::search {

class Coverage {
 public:
  static constexpr std::uint32_t kWindow = 64;

  // The first word that is not covered (the length of the sentence when all are).
  std::uint32_t gap() const { return gap_; }
  // One past the last covered word.
  std::uint32_t end() const { return gap_ + static_cast<std::uint32_t>(std::bit_width(window_)); }
  // How many words past the gap are covered.
  std::uint32_t ahead() const { return static_cast<std::uint32_t>(std::popcount(window_)); }

  bool covers(std::uint32_t word) const {
    return word < gap_ || (word - gap_ < kWindow && (window_ >> (word - gap_) & 1) != 0);
  }
  // Whether [begin, end) is wholly uncovered and within the window.
  bool takes(std::uint32_t begin, std::uint32_t end) const {
    return begin >= gap_ && end - gap_ <= kWindow && (window_ & bits(begin, end)) == 0;
  }
  // This and [begin, end), which it takes.
  Coverage with(std::uint32_t begin, std::uint32_t end) const {
    Coverage grown = *this;
    grown.window_ |= bits(begin, end);
    const auto closed = static_cast<std::uint32_t>(std::countr_one(grown.window_));
    grown.gap_ += closed;
    grown.window_ = closed < kWindow ? grown.window_ >> closed : 0;
    return grown;
  }
  // Calls gap(begin, end) for each uncovered stretch before end().
  template <class Gap>
  void for_each_gap(const Gap& gap) const {
    std::uint64_t rest = window_;
    for (std::uint32_t at = gap_; rest != 0;) {
      const auto open = static_cast<std::uint32_t>(std::countr_zero(rest));
      gap(at, at + open);
      rest >>= open;
      const auto closed = static_cast<std::uint32_t>(std::countr_one(rest));
      rest = closed < kWindow ? rest >> closed : 0;
      at += open + closed;
    }
  }

  std::uint64_t hash() const { return combine(window_, gap_); }
  friend bool operator==(const Coverage&, const Coverage&) = default;

 private:
  std::uint64_t bits(std::uint32_t begin, std::uint32_t end) const {
    const std::uint32_t length = end - begin;
    return (length < kWindow ? (std::uint64_t{1} << length) - 1 : ~std::uint64_t{0})
           << (begin - gap_);
  }

  std::uint64_t window_ = 0;  // bit i: word gap + i is covered; bit 0 never is
  std::uint32_t gap_ = 0;
};

}  // namespace miriam::search
