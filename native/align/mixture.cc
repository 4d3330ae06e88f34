// Position models without memory, IBM 1 and the diagonal prior: every observed word by itself.
#include <algorithm>
#include <cmath>
#include <vector>

#include "align/positions.hh"

namespace miriam::align {
namespace {

// The prior of a row, and the mean and variance of the feature h under it, NULL left out.
class Prior {
 public:
  explicit Prior(std::size_t stride) : row_(stride, 0.0f) {}
  const std::vector<float>& row() const { return row_; }
  double mean() const { return mean_; }
  double variance() const { return variance_; }
  // h(i) of the given word in this column.
  double feature(std::size_t column) const {
    return -std::abs(static_cast<double>(column) / given_ - at_);
  }

  // Row `j` of the matrix. The weights are geometric on both sides of the diagonal.
  void set(const Diagonal& model, std::size_t j, const Matrix& cells) {
    const std::size_t given = cells.columns() - 1;
    given_ = static_cast<double>(given);
    at_ = static_cast<double>(j + 1) / static_cast<double>(cells.rows());
    const std::size_t below = (j + 1) * given / cells.rows();  // the last column with i/I <= j/J
    const double ratio = std::exp(-model.tension / given_);
    weights_.resize(given + 1);
    if (below > 0) weights_[below] = std::exp(model.tension * feature(below));
    for (std::size_t i = below; i-- > 1;) weights_[i] = weights_[i + 1] * ratio;
    if (below < given) weights_[below + 1] = std::exp(model.tension * feature(below + 1));
    for (std::size_t i = below + 2; i <= given; ++i) weights_[i] = weights_[i - 1] * ratio;
    double total = 0.0, first = 0.0, second = 0.0;
    for (std::size_t i = 1; i <= given; ++i) {
      const double h = feature(i);
      total += weights_[i];
      first += weights_[i] * h;
      second += weights_[i] * h * h;
    }
    mean_ = first / total;
    variance_ = second / total - mean_ * mean_;
    const double scale = (1.0 - model.null) / total;
    row_[0] = static_cast<float>(model.null);
    for (std::size_t i = 1; i <= given; ++i) row_[i] = static_cast<float>(weights_[i] * scale);
  }

  void set(const Uniform&, std::size_t, const Matrix& cells) {
    std::fill_n(row_.begin(), cells.columns(), 1.0f / static_cast<float>(cells.columns()));
  }

 private:
  std::vector<float> row_;
  std::vector<double> weights_;
  double given_ = 0.0, at_ = 0.0, mean_ = 0.0, variance_ = 0.0;
};

void add_statistics(const Uniform&, const Prior&, const float*, std::span<double>) {}

// The derivative of the expected log prior by the tension, and minus the second derivative:
// sum q h - (sum q) E[h], and (sum q) Var[h].
void add_statistics(const Diagonal&, const Prior& prior, const float* posteriors,
                    std::span<double> statistics) {
  double linked = 0.0, feature = 0.0;
  for (std::size_t i = 1; i < prior.row().size(); ++i) {
    linked += static_cast<double>(posteriors[i]);
    feature += static_cast<double>(posteriors[i]) * prior.feature(i);
  }
  statistics[1] += feature - linked * prior.mean();
  statistics[2] += linked * prior.variance();
}

template <class Model>
void posteriors_of(const Model& model, Matrix& cells, std::span<double> statistics) {
  Prior prior(cells.stride());
  for (std::size_t j = 0; j < cells.rows(); ++j) {
    prior.set(model, j, cells);
    float* row = cells[j];
    for (std::size_t i = 0; i < cells.stride(); ++i) row[i] *= prior.row()[i];
    const float total = sum(row, cells.stride());
    const float scale = 1.0f / total;
    for (std::size_t i = 0; i < cells.stride(); ++i) row[i] *= scale;
    statistics[0] += std::log(static_cast<double>(total));
    add_statistics(model, prior, row, statistics);
  }
}

template <class Model>
void best_of(const Model& model, const Matrix& cells, std::span<std::uint32_t> given) {
  Prior prior(cells.stride());
  std::vector<float> row(cells.columns());
  for (std::size_t j = 0; j < cells.rows(); ++j) {
    prior.set(model, j, cells);
    for (std::size_t i = 0; i < row.size(); ++i) row[i] = cells[j][i] * prior.row()[i];
    given[j] = static_cast<std::uint32_t>(std::max_element(row.begin(), row.end()) - row.begin());
  }
}

}  // namespace

void to_posteriors(const Uniform& model, Matrix& cells, std::span<double> statistics) {
  posteriors_of(model, cells, statistics);
}
void to_posteriors(const Diagonal& model, Matrix& cells, std::span<double> statistics) {
  posteriors_of(model, cells, statistics);
}
void find_best(const Uniform& model, const Matrix& cells, std::span<std::uint32_t> given) {
  best_of(model, cells, given);
}
void find_best(const Diagonal& model, const Matrix& cells, std::span<std::uint32_t> given) {
  best_of(model, cells, given);
}

}  // namespace miriam::align
