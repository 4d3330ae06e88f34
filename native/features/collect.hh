// Cells of a sparse matrix in any order, brought into rows.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "features/feature_table.hh"

namespace miriam::features {

// Row i ends at ends[i]; its features ascend, each once.
struct Rows {
  std::vector<std::uint64_t> ends;
  std::vector<FeatureId> ids;
  std::vector<double> values;
};

// What was given of the same feature in the same row is added up, in the order in which it came.
Rows collect(std::size_t count, std::span<const std::uint32_t> rows, std::span<const FeatureId> ids,
             std::span<const double> values);

}  // namespace miriam::features
