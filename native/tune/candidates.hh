// The candidates of one sentence as rows of sparse features: scores, and the gradient of a loss.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace miriam::tune {

// Row i has values[offsets[i], offsets[i + 1]) in these columns, each column at most once a row.
struct SparseRows {
  std::span<const std::int64_t> offsets;
  std::span<const std::int32_t> columns;
  std::span<const double> values;

  std::size_t size() const { return offsets.size() - 1; }
};

// Throws ConfigError unless the offsets ascend from 0 to the end and all columns are below `width`.
void check(const SparseRows& rows, std::size_t width);

// The score of each row: its values times the weights of its columns.
std::vector<double> scores(const SparseRows& rows, std::span<const double> weights);

// For each of `width` columns j the sum over rows d of c_d (f_dj - f_0j), which for coefficients
// that sum to 0 is the gradient. A column that is constant gives exactly 0, and so does one whose
// sum is no more than 1e-12 of the sum of its absolute terms.
std::vector<double> gradient(const SparseRows& rows, std::span<const double> coefficients,
                             std::size_t width);

// The different ids, ascending, and the position of each id among them.
struct Numbering {
  std::vector<std::int32_t> ids;
  std::vector<std::int32_t> positions;
};
Numbering number(std::span<const std::int32_t> ids);

}  // namespace miriam::tune
