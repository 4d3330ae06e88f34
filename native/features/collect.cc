#include "features/collect.hh"

#include <algorithm>

#include "base/error.hh"

namespace miriam::features {

Rows collect(std::size_t count, std::span<const std::uint32_t> rows, std::span<const FeatureId> ids,
             std::span<const double> values) {
  if (rows.size() != ids.size() || rows.size() != values.size())
    throw InputError("features whose arrays do not fit together");
  std::vector<std::uint64_t> begins(count + 1);
  for (const std::uint32_t row : rows) {
    if (row >= count) throw InputError("features of a row that is not there");
    ++begins[row + 1];
  }
  for (std::size_t row = 0; row < count; ++row) begins[row + 1] += begins[row];
  struct Cell {
    FeatureId id;
    double value;
  };
  std::vector<Cell> cells(rows.size());
  {
    std::vector<std::uint64_t> next(begins.begin(), begins.end() - 1);
    for (std::size_t i = 0; i < rows.size(); ++i) cells[next[rows[i]]++] = {ids[i], values[i]};
  }
  Rows out;
  out.ends.reserve(count);
  out.ids.reserve(cells.size());
  out.values.reserve(cells.size());
  for (std::size_t row = 0; row < count; ++row) {
    const auto first = cells.begin() + static_cast<std::ptrdiff_t>(begins[row]);
    const auto last = cells.begin() + static_cast<std::ptrdiff_t>(begins[row + 1]);
    std::stable_sort(first, last, [](const Cell& a, const Cell& b) { return a.id < b.id; });
    for (auto cell = first; cell != last; ++cell) {
      if (cell != first && cell->id == out.ids.back()) {
        out.values.back() += cell->value;
      } else {
        out.ids.push_back(cell->id);
        out.values.push_back(cell->value);
      }
    }
    out.ends.push_back(out.ids.size());
  }
  return out;
}

}  // namespace miriam::features
