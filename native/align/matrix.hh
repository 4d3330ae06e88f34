// A small matrix of floats whose rows are padded with zeros to whole vectors.
#pragma once

#include <cstddef>
#include <vector>

namespace miriam::align {

inline constexpr std::size_t kLanes = 8;

constexpr std::size_t padded(std::size_t size) { return (size + kLanes - 1) / kLanes * kLanes; }

class Matrix {
 public:
  // All elements become zero.
  void reset(std::size_t rows, std::size_t columns) {
    rows_ = rows;
    columns_ = columns;
    stride_ = padded(columns);
    values_.assign(rows * stride_, 0.0f);
  }
  std::size_t rows() const { return rows_; }
  std::size_t columns() const { return columns_; }
  std::size_t stride() const { return stride_; }
  float* operator[](std::size_t row) { return values_.data() + row * stride_; }
  const float* operator[](std::size_t row) const { return values_.data() + row * stride_; }

 private:
  std::size_t rows_ = 0;
  std::size_t columns_ = 0;
  std::size_t stride_ = 0;
  std::vector<float> values_;
};

// The sum of `size` floats, a multiple of kLanes: in lanes, so that the order is fixed and the
// compiler may use vectors.
inline float sum(const float* values, std::size_t size) {
  float lanes[kLanes] = {};
  for (std::size_t i = 0; i < size; i += kLanes) {
    for (std::size_t lane = 0; lane < kLanes; ++lane) lanes[lane] += values[i + lane];
  }
  return ((lanes[0] + lanes[4]) + (lanes[2] + lanes[6])) +
         ((lanes[1] + lanes[5]) + (lanes[3] + lanes[7]));
}

}  // namespace miriam::align
