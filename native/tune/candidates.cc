#include "tune/candidates.hh"

#include <algorithm>
#include <bit>
#include <cmath>

#include "base/error.hh"
#include "base/hash.hh"

namespace miriam::tune {
namespace {

constexpr double kRounding = 1e-12;

}  // namespace

void check(const SparseRows& rows, std::size_t width) {
  const bool sound = !rows.offsets.empty() && rows.offsets.front() == 0 &&
                     std::is_sorted(rows.offsets.begin(), rows.offsets.end()) &&
                     static_cast<std::size_t>(rows.offsets.back()) == rows.columns.size() &&
                     rows.columns.size() == rows.values.size() &&
                     std::all_of(rows.columns.begin(), rows.columns.end(), [&](std::int32_t c) {
                       return c >= 0 && static_cast<std::size_t>(c) < width;
                     });
  if (!sound) throw ConfigError("rows of features whose offsets or columns are out of bounds");
}

std::vector<double> scores(const SparseRows& rows, std::span<const double> weights) {
  std::vector<double> totals(rows.size());
  for (std::size_t d = 0; d < totals.size(); ++d) {
    double total = 0;
    const auto end = static_cast<std::size_t>(rows.offsets[d + 1]);
    for (auto i = static_cast<std::size_t>(rows.offsets[d]); i < end; ++i)
      total += rows.values[i] * weights[static_cast<std::size_t>(rows.columns[i])];
    totals[d] = total;
  }
  return totals;
}

std::vector<double> gradient(const SparseRows& rows, std::span<const double> coefficients,
                             std::size_t width) {
  std::vector<double> sums(width), sizes(width), first(width);
  if (rows.size() == 0) return sums;
  const auto first_end = static_cast<std::size_t>(rows.offsets[1]);
  for (std::size_t i = 0; i < first_end; ++i)
    first[static_cast<std::size_t>(rows.columns[i])] = rows.values[i];
  const auto add = [&](std::size_t column, double term) {
    sums[column] += term;
    sizes[column] += std::abs(term);
  };
  std::vector<std::size_t> seen_in(width, 0);  // the last row that has this column
  for (std::size_t d = 1; d < rows.size(); ++d) {
    const double c = coefficients[d];
    if (c == 0) continue;
    const auto end = static_cast<std::size_t>(rows.offsets[d + 1]);
    for (auto i = static_cast<std::size_t>(rows.offsets[d]); i < end; ++i) {
      const auto column = static_cast<std::size_t>(rows.columns[i]);
      seen_in[column] = d;
      add(column, c * (rows.values[i] - first[column]));
    }
    for (std::size_t i = 0; i < first_end; ++i) {
      const auto column = static_cast<std::size_t>(rows.columns[i]);
      if (seen_in[column] != d) add(column, -c * rows.values[i]);
    }
  }
  for (std::size_t j = 0; j < width; ++j)
    if (std::abs(sums[j]) <= kRounding * sizes[j]) sums[j] = 0;
  return sums;
}

Numbering number(std::span<const std::int32_t> ids) {
  constexpr std::uint32_t kFree = 0xffffffffu;
  Numbering result;
  result.positions.reserve(ids.size());
  // Each different id with the number of those that came before it, packed so that they sort by id.
  std::vector<std::uint64_t> met;
  std::vector<std::uint32_t> slots(std::bit_ceil(2 * ids.size() + 1), kFree);
  const std::size_t mask = slots.size() - 1;
  for (const std::int32_t id : ids) {
    const auto key = static_cast<std::uint32_t>(id);
    std::size_t at = mix(key) & mask;
    while (slots[at] != kFree && met[slots[at]] >> 32 != key) at = (at + 1) & mask;
    if (slots[at] == kFree) {
      slots[at] = static_cast<std::uint32_t>(met.size());
      met.push_back(std::uint64_t{key} << 32 | slots[at]);
    }
    result.positions.push_back(static_cast<std::int32_t>(slots[at]));
  }
  std::sort(met.begin(), met.end());
  std::vector<std::int32_t> rank(met.size());
  result.ids.reserve(met.size());
  for (const std::uint64_t entry : met) {
    rank[entry & 0xffffffffu] = static_cast<std::int32_t>(result.ids.size());
    result.ids.push_back(static_cast<std::int32_t>(entry >> 32));
  }
  for (std::int32_t& position : result.positions)
    position = rank[static_cast<std::size_t>(position)];
  return result;
}

}  // namespace miriam::tune
