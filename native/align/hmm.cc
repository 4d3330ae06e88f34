// The HMM alignment model of one sentence pair and direction.
//
// States are the positions 0..I of the given words, 0 being the start; at each of them the next
// observed word may come from NULL (with probability `null`; the position stays), or the model
// jumps to position p with probability c(p - q) / Z(q), Z(q) the sum over all p from 1 to I.
// As c is constant beyond the window, a step costs O(I window) and not O(I I), and sentences of a
// thousand words need no special case.
#include <algorithm>
#include <cmath>
#include <vector>

#include "align/positions.hh"

namespace miriam::align {
namespace {

constexpr float kVanished = 1e-30f;  // below it, products would be denormal, and slow

// Values at the positions 0..size, with `margin` zeros on both sides.
class Positioned {
 public:
  Positioned(std::size_t size, std::size_t margin) : margin_(margin), values_(size + 2 * margin) {}
  float* data() { return values_.data() + margin_; }
  const float* data() const { return values_.data() + margin_; }
  float& operator[](std::size_t i) { return data()[i]; }
  float operator[](std::size_t i) const { return data()[i]; }

 private:
  std::size_t margin_;
  std::vector<float> values_;
};

// The jumps of a sentence: convolutions with the weights c, in O(window) a position.
class Convolution {
 public:
  Convolution(std::vector<float> weights, std::size_t size)
      : weights_(std::move(weights)), size_(size), before_(size), after_(size) {}

  // out[p] = sum over q of in[q] c(p - q); `in` has a margin of the window or more.
  void operator()(const Positioned& in, float* __restrict out) {
    const std::size_t window = weights_.size() / 2;
    const float* from = in.data() - window;  // from[p] is `window` words before p
    float sum = 0.0f;
    for (std::size_t p = 0; p < size_; ++p) before_[p] = sum += from[p];
    sum = 0.0f;
    for (std::size_t p = size_; p-- > 0;) after_[p] = sum += from[p + 2 * window];
    for (std::size_t p = 0; p < size_; p += kLanes) {
      float lanes[kLanes];
      for (std::size_t k = 0; k < kLanes; ++k) {
        lanes[k] = weights_.front() * after_[p + k] + weights_.back() * before_[p + k];
      }
      for (std::size_t b = 1; b + 1 < weights_.size(); ++b) {
        const float* near = from + p + (2 * window - b);
        for (std::size_t k = 0; k < kLanes; ++k) lanes[k] += weights_[b] * near[k];
      }
      std::copy(lanes, lanes + kLanes, out + p);
    }
  }
  // Of the last call: the sums of `in` at the window's distance or more, on either side.
  const float* before() const { return before_.data(); }
  const float* after() const { return after_.data(); }

 private:
  std::vector<float> weights_;
  std::size_t size_;
  std::vector<float> before_, after_;
};

// 1 / Z of each position: the weights of the distances from there to 1 and to `last`, summed.
std::vector<float> normalisers(const Jumps& model, std::size_t last, std::size_t stride) {
  const auto window = static_cast<std::ptrdiff_t>(model.window());
  const auto longest = static_cast<std::ptrdiff_t>(last);
  std::vector<double> sums(2 * last + 1);  // of the weights up to a distance, from -last on
  double total = 0.0;
  for (std::ptrdiff_t d = -longest; d <= longest; ++d) {
    const auto b = static_cast<std::size_t>(std::clamp(d, -window, window) + window);
    sums[static_cast<std::size_t>(d + longest)] = total += static_cast<double>(model.weights[b]);
  }
  std::vector<float> inverse(stride, 0.0f);
  for (std::size_t from = 0; from <= last; ++from) {
    inverse[from] = static_cast<float>(1.0 / (sums[2 * last - from] - sums[last - from]));
  }
  return inverse;
}

// Adds to the sum of each weight: `values` of the positions 0..last, each times the number of
// positions 1..last that a jump of this weight leads to from there.
void add_reachable(const std::vector<double>& values, std::span<double> sums) {
  const std::size_t last = values.size() - 1;
  const std::size_t window = sums.size() / 2;
  std::vector<double> before(values.size() + 1, 0.0);  // the values of earlier positions
  for (std::size_t from = 0; from <= last; ++from) {
    before[from + 1] = before[from] + values[from];
    if (from > window) sums.front() += values[from] * static_cast<double>(from - window);
    const std::size_t near = from + window;
    if (near <= last) sums.back() += values[from] * static_cast<double>(last + 1 - near);
  }
  for (std::size_t b = 1; b + 1 < sums.size(); ++b) {
    if (b > last + window) break;
    // From `first` on, and before `end`, a jump of distance b - window leads to 1..last.
    const std::size_t first = b > window ? 0 : window + 1 - b;
    const std::size_t end = std::min(last, last + window - b) + 1;
    if (first < end) sums[b] += before[end] - before[first];
  }
}

// The forward and backward passes of a sentence pair.
class Trellis {
 public:
  Trellis(const Jumps& model, Matrix& cells)
      : model_(model),
        cells_(cells),
        stride_(cells.stride()),
        jump_(1.0f - static_cast<float>(model.null)),
        inverse_(normalisers(model, cells.columns() - 1, stride_)),
        scales_(cells.rows()),
        nulls_(cells.rows()) {
    forward_.reset(cells.rows(), cells.columns());
    state_.reset(cells.rows() + 1, cells.columns());
  }

  // The log-likelihood. forward_[j][p]: the last observed word so far, j, translates p.
  // state_[j + 1][p]: p is the position after it. Both are scaled to a sum of one.
  double forward() {
    Convolution convolve(model_.weights, stride_);
    Positioned leaving(stride_, model_.weights.size());
    double log_likelihood = 0.0;
    state_[0][0] = 1.0f;
    for (std::size_t j = 0; j < cells_.rows(); ++j) {
      const float* before = state_[j];
      const float* translation = cells_[j];
      float* alpha = forward_[j];
      float* state = state_[j + 1];
      const float null = static_cast<float>(model_.null) * translation[0];
      for (std::size_t p = 0; p < stride_; ++p) leaving[p] = before[p] * inverse_[p];
      convolve(leaving, alpha);
      for (std::size_t p = 0; p < stride_; ++p) alpha[p] *= jump_ * translation[p];
      alpha[0] = 0.0f;
      for (std::size_t p = 0; p < stride_; ++p) state[p] = alpha[p] + null * before[p];
      const float total = sum(state, stride_);
      scales_[j] = 1.0f / total;
      nulls_[j] = null * scales_[j];
      for (std::size_t p = 0; p < stride_; ++p) alpha[p] *= scales_[j];
      for (std::size_t p = 0; p < stride_; ++p) state[p] *= scales_[j];
      if (state[0] < kVanished) state[0] = 0.0f;
      log_likelihood += std::log(static_cast<double>(total));
    }
    return log_likelihood;
  }

  // Puts the posteriors into the cells, and adds up the jumps.
  void backward(std::span<double> statistics) {
    const std::vector<float> reversed(model_.weights.rbegin(), model_.weights.rend());
    Convolution convolve(reversed, stride_);
    Positioned arriving(stride_, model_.weights.size());
    std::vector<float> beta(stride_, 0.0f), onward(stride_), leaving(stride_), left(stride_);
    std::fill_n(beta.begin(), cells_.columns(), 1.0f);
    Matrix jumps;  // by weight and position left; to be multiplied by the weights
    jumps.reset(model_.weights.size(), cells_.columns());
    for (std::size_t j = cells_.rows(); j-- > 0;) {
      const float* before = state_[j];
      float* cell = cells_[j];
      const float scale = jump_ * scales_[j];
      for (std::size_t p = 0; p < stride_; ++p) arriving[p] = cell[p] * beta[p];
      arriving[0] = 0.0f;
      for (std::size_t p = 0; p < stride_; ++p) cell[p] = before[p] * beta[p];
      const float null = nulls_[j] * sum(cell, stride_);
      for (std::size_t p = 0; p < stride_; ++p) cell[p] = forward_[j][p] * beta[p];
      cell[0] = null;
      convolve(arriving, onward.data());
      for (std::size_t p = 0; p < stride_; ++p) {
        leaving[p] = before[p] * inverse_[p] * scale;
        left[p] += leaving[p] * onward[p];
        beta[p] = inverse_[p] * scale * onward[p] + nulls_[j] * beta[p];
      }
      count(leaving, arriving, convolve, jumps);
    }
    add_statistics(jumps, left, statistics);
  }

 private:
  void count(const std::vector<float>& leaving, const Positioned& arriving,
             const Convolution& convolved, Matrix& jumps) const {
    const std::size_t last = model_.weights.size() - 1;
    const auto add = [&](std::size_t b, const float* to) {
      float* __restrict row = jumps[b];
      for (std::size_t p = 0; p < stride_; ++p) row[p] += leaving[p] * to[p];
    };
    add(0, convolved.before());
    add(last, convolved.after());
    const float* to = arriving.data() - model_.window();
    for (std::size_t b = 1; b < last; ++b) add(b, to + b);
  }

  void add_statistics(const Matrix& jumps, const std::vector<float>& left,
                      std::span<double> statistics) const {
    const std::size_t bins = model_.weights.size();
    for (std::size_t b = 0; b < bins; ++b) {
      statistics[1 + b] += static_cast<double>(model_.weights[b] * sum(jumps[b], stride_));
    }
    std::vector<double> leaving(cells_.columns());
    for (std::size_t p = 0; p < leaving.size(); ++p) {
      leaving[p] = static_cast<double>(left[p] * inverse_[p]);
    }
    add_reachable(leaving, statistics.subspan(1 + bins));
  }

  const Jumps& model_;
  Matrix& cells_;
  std::size_t stride_;
  float jump_;
  std::vector<float> inverse_;
  std::vector<float> scales_, nulls_;  // by observed word
  Matrix forward_, state_;
};

// The best position to come from: of those near, and of the best ones far on either side.
struct Best {
  float score = 0.0f;
  std::uint32_t from = 0;
  void meet(float other, std::size_t position) {
    if (other > score) *this = {other, static_cast<std::uint32_t>(position)};
  }
};

// arrivals[p]: the best jump to p = 1..last, given the scores of the positions that are left.
void best_jumps(const Jumps& model, const std::vector<float>& leaving,
                std::vector<Best>& arrivals) {
  const std::size_t window = model.window();
  const std::size_t size = leaving.size();
  Best far;
  for (std::size_t p = 1; p < size; ++p) {
    arrivals[p] = {};
    if (p >= window) far.meet(leaving[p - window], p - window);
    arrivals[p].meet(far.score * model.weights.back(), far.from);
  }
  far = {};
  for (std::size_t p = size; p-- > 1;) {
    if (p + window < size) far.meet(leaving[p + window], p + window);
    arrivals[p].meet(far.score * model.weights.front(), far.from);
    for (std::size_t from = p < window ? 0 : p - window + 1; from < std::min(size, p + window);
         ++from) {
      arrivals[p].meet(leaving[from] * model.weights[window + p - from], from);
    }
  }
}

}  // namespace

// Forward and backward (Rabiner 1989, section III), scaled at each observed word.
void to_posteriors(const Jumps& model, Matrix& cells, std::span<double> statistics) {
  Trellis trellis(model, cells);
  statistics[0] += trellis.forward();
  trellis.backward(statistics);
}

void find_best(const Jumps& model, const Matrix& cells, std::span<std::uint32_t> given) {
  const std::size_t size = cells.columns();
  const auto null = static_cast<float>(model.null);
  const std::vector<float> inverse = normalisers(model, size - 1, cells.stride());
  std::vector<float> score(size, 0.0f), leaving(size);
  std::vector<Best> arrivals(size);
  score[0] = 1.0f;
  // steps[j * size + p]: from where position p was reached by observed word j; p itself by NULL
  // (and `kJumped` tells a jump from p to p apart).
  constexpr std::uint32_t kJumped = 1u << 31;
  std::vector<std::uint32_t> steps(cells.rows() * size);
  for (std::size_t j = 0; j < cells.rows(); ++j) {
    const float* translation = cells[j];
    for (std::size_t p = 0; p < size; ++p) leaving[p] = score[p] * inverse[p] * (1.0f - null);
    best_jumps(model, leaving, arrivals);
    float highest = 0.0f;
    for (std::size_t p = 0; p < size; ++p) {
      const float jumped = p == 0 ? 0.0f : arrivals[p].score * translation[p];
      const float stayed = null * translation[0] * score[p];
      score[p] = std::max(jumped, stayed);
      steps[j * size + p] = jumped > stayed ? arrivals[p].from | kJumped : std::uint32_t(p);
      highest = std::max(highest, score[p]);
    }
    for (float& value : score) value = value / highest < kVanished ? 0.0f : value / highest;
  }
  auto p = static_cast<std::size_t>(std::max_element(score.begin(), score.end()) - score.begin());
  for (std::size_t j = cells.rows(); j-- > 0;) {
    const std::uint32_t step = steps[j * size + p];
    given[j] = step & kJumped ? static_cast<std::uint32_t>(p) : 0;
    p = step & ~kJumped;
  }
}

}  // namespace miriam::align
