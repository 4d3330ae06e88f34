// Sorting records in place: quicksort's first levels cut the array, threads sort the pieces.
#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include "base/error.hh"
#include "base/parallel.hh"
#include "lm/ngram.hh"
#include "lm/records.hh"

namespace miriam::lm {
namespace {

constexpr std::size_t kPieces = 16;
constexpr std::size_t kSmall = 1 << 14;  // records that are not worth a thread

template <std::size_t Width>
using Record = std::array<std::uint32_t, Width>;

template <std::size_t Width>
struct Less {
  bool operator()(const Record<Width>& a, const Record<Width>& b) const {
    const std::uint64_t x = std::uint64_t{a[0]} << 32 | a[1];
    const std::uint64_t y = std::uint64_t{b[0]} << 32 | b[1];
    if (x != y) return x < y;
    for (std::size_t i = 2; i < Width; ++i) {
      if (a[i] != b[i]) return a[i] < b[i];
    }
    return false;
  }
};

template <std::size_t Width>
Record<Width> median(std::span<const Record<Width>> records) {
  std::array<Record<Width>, 63> sample;
  for (std::size_t i = 0; i < sample.size(); ++i) {
    sample[i] = records[i * (records.size() - 1) / (sample.size() - 1)];
  }
  const auto middle = sample.begin() + sample.size() / 2;
  std::nth_element(sample.begin(), middle, sample.end(), Less<Width>());
  return *middle;
}

template <std::size_t Width>
void sort_wide(std::uint32_t* data, std::size_t count, unsigned threads) {
  // A record is an array of its numbers and nothing else, so the cast only names the stride.
  static_assert(sizeof(Record<Width>) == Width * sizeof(std::uint32_t));
  std::vector<std::span<Record<Width>>> pieces{{reinterpret_cast<Record<Width>*>(data), count}};
  while (threads > 1 && count > kSmall && pieces.size() < kPieces) {
    std::vector<std::span<Record<Width>>> halves;
    for (const auto piece : pieces) {
      if (piece.size() < kSmall) {
        halves.push_back(piece);
        continue;
      }
      const Record<Width> pivot = median<Width>(piece);
      const auto cut = std::partition(piece.begin(), piece.end(),
                                      [&](const auto& r) { return Less<Width>()(r, pivot); });
      const auto left = static_cast<std::size_t>(cut - piece.begin());
      halves.push_back(piece.first(left));
      halves.push_back(piece.subspan(left));
    }
    if (halves.size() == pieces.size()) break;
    pieces = std::move(halves);
  }
  parallel_for(pieces.size(), threads, [&](std::size_t i) {
    std::sort(pieces[i].begin(), pieces[i].end(), Less<Width>());
  });
}

template <std::size_t... I>
void dispatch(std::uint32_t* data, std::size_t count, std::size_t width, unsigned threads,
              std::index_sequence<I...>) {
  const bool known =
      ((width == I + 2 ? (sort_wide<I + 2>(data, count, threads), true) : false) || ...);
  if (!known) throw ConfigError("records of this width cannot be sorted");
}

}  // namespace

void sort_records(std::uint32_t* data, std::size_t count, std::size_t width, unsigned threads) {
  dispatch(data, count, width, threads, std::make_index_sequence<kMaxOrder + 1>());
}

}  // namespace miriam::lm
