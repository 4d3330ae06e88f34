#include "align/training.hh"

#include <cmath>

#include "base/parallel.hh"

namespace miriam::align {
namespace {

constexpr std::size_t kRowTasks = 256;

// exp(digamma(x)): by recurrence to x > 6, then the series of exp(digamma(y + 1/2)) at y = x - 1/2
// (Abramowitz and Stegun 6.3.5, and the exponential of 6.3.18).
double exp_digamma(double x) {
  double shift = 0.0;
  for (; x < 6.5; x += 1.0) shift += 1.0 / x;
  const double y = x - 0.5;
  const double inverse = 1.0 / (y * y);
  const double series =
      y *
      (1.0 + inverse * (1.0 / 24.0 - inverse * (37.0 / 5760.0 - inverse * 10313.0 / 2903040.0)));
  return shift == 0.0 ? series : series * std::exp(-shift);
}

// Counts to probabilities, relative to a total over `outcomes` of them.
class Estimate {
 public:
  Estimate(std::uint64_t total, std::uint64_t outcomes, double alpha) : alpha_(alpha) {
    const double all = static_cast<double>(total) * kUnit;
    const double scale = alpha > 0 ? exp_digamma(all + alpha * static_cast<double>(outcomes)) : all;
    inverse_ = total == 0 ? 0.0 : 1.0 / scale;
  }
  float operator()(std::uint64_t count) const {
    if (count == 0) return 0.0f;
    const double value = static_cast<double>(count) * kUnit;
    return static_cast<float>((alpha_ > 0 ? exp_digamma(value + alpha_) : value) * inverse_);
  }

 private:
  static constexpr double kUnit = 1.0 / (1u << 30);
  double alpha_;
  double inverse_;
};

void estimate_null(const Counts& counts, double alpha, std::vector<float>& probabilities) {
  std::uint64_t total = 0;
  for (std::size_t i = 0; i < counts.size(); ++i) total += counts[i];
  const Estimate estimate(total, counts.size(), alpha);
  for (std::size_t i = 0; i < counts.size(); ++i) probabilities[i] = estimate(counts[i]);
}

}  // namespace

Training::Training(const Bitext& bitext, const Vocabularies& sizes, unsigned threads,
                   Progress& progress)
    : bitext_(bitext),
      pairs_(bitext, sizes, threads, progress),
      translations_(pairs_.size(), {1.0f / static_cast<float>(sizes.target),
                                    1.0f / static_cast<float>(sizes.source)}),
      target_null_(sizes.target, 1.0f / static_cast<float>(sizes.target)),
      source_null_(sizes.source, 1.0f / static_cast<float>(sizes.source)),
      forward_(pairs_.size()),
      target_nulls_(sizes.target),
      source_nulls_(sizes.source) {}

std::array<std::vector<double>, 2> Training::expect(const Models& models, unsigned threads,
                                                    Progress& progress) {
  const auto size = [](const auto& model) { return statistics_size(model); };
  const std::array<std::vector<double>, 2> zero{
      std::vector<double>(std::visit(size, models.forward)),
      std::vector<double>(std::visit(size, models.reverse))};
  agreed_ = models.agree;
  if (!agreed_ && reverse_.size() == 0) reverse_ = Counts(pairs_.size());
  for (Counts* counts : {&forward_, &reverse_, &target_nulls_, &source_nulls_}) {
    counts->clear();
    counts->set_alone(threads <= 1);
  }
  const std::size_t tasks = tasks_for(bitext_.size());
  std::vector<std::array<std::vector<double>, 2>> parts(tasks, zero);
  progress.expect(bitext_.size());
  parallel_for(tasks, threads, [&](std::size_t task) {
    PairCells cells;
    const std::size_t begin = task * kPairsPerTask;
    const std::size_t end = std::min(bitext_.size(), begin + kPairsPerTask);
    for (std::size_t pair = begin; pair < end; ++pair) {
      expect_pair(pair, models, cells, parts[task]);
      progress.advance();
    }
  });
  auto sums = zero;
  for (const auto& part : parts) {
    for (std::size_t d = 0; d < 2; ++d) {
      for (std::size_t k = 0; k < part[d].size(); ++k) sums[d][k] += part[d][k];
    }
  }
  return sums;
}

void Training::expect_pair(std::size_t pair, const Models& models, PairCells& cells,
                           std::array<std::vector<double>, 2>& statistics) {
  const auto source = bitext_.source[pair];
  const auto target = bitext_.target[pair];
  if (source.empty() || target.empty()) return;
  const std::uint32_t* numbers = pairs_.cells(pair);
  const auto index = [&](std::size_t i, std::size_t j) {
    return pairs_.row_begin(source[i]) + numbers[i * target.size() + j];
  };
  fill(
      cells, source, target,
      [&](std::size_t i, std::size_t j) { return translations_[index(i, j)]; }, source_null_,
      target_null_);
  std::visit([&](const auto& model) { to_posteriors(model, cells.forward, statistics[0]); },
             models.forward);
  std::visit([&](const auto& model) { to_posteriors(model, cells.reverse, statistics[1]); },
             models.reverse);
  for (std::size_t j = 0; j < target.size(); ++j) {
    target_nulls_.add(target[j], cells.forward[j][0]);
  }
  for (std::size_t i = 0; i < source.size(); ++i) {
    source_nulls_.add(source[i], cells.reverse[i][0]);
    for (std::size_t j = 0; j < target.size(); ++j) {
      const float forward = cells.forward[j][i + 1];
      const float reverse = cells.reverse[i][j + 1];
      const std::size_t at = index(i, j);
      if (models.agree) {
        forward_.add(at, forward * reverse);
      } else {
        forward_.add(at, forward);
        reverse_.add(at, reverse);
      }
    }
  }
}

void Training::maximise(double alpha, unsigned threads) {
  const Counts& reverse = agreed_ ? forward_ : reverse_;
  const std::vector<WordId>& targets = pairs_.targets();
  std::vector<std::uint64_t> totals(target_null_.size()), outcomes(target_null_.size());
  for (std::size_t k = 0; k < targets.size(); ++k) {
    totals[targets[k]] += reverse[k];
    ++outcomes[targets[k]];
  }
  std::vector<Estimate> by_target;
  by_target.reserve(totals.size());
  for (std::size_t t = 0; t < totals.size(); ++t) {
    by_target.emplace_back(totals[t], outcomes[t], alpha);
  }
  const std::size_t words = pairs_.source_words();
  const std::size_t words_per_task = words / kRowTasks + 1;
  parallel_for(kRowTasks, threads, [&](std::size_t task) {
    const std::size_t last = std::min(words, (task + 1) * words_per_task);
    for (std::size_t word = task * words_per_task; word < last; ++word) {
      const std::uint64_t begin = pairs_.row_begin(static_cast<WordId>(word));
      const std::uint64_t end = pairs_.row_ends()[word];
      std::uint64_t total = 0;
      for (std::uint64_t k = begin; k < end; ++k) total += forward_[k];
      const Estimate by_source(total, end - begin, alpha);
      for (std::uint64_t k = begin; k < end; ++k) {
        translations_[k] = {by_source(forward_[k]), by_target[targets[k]](reverse[k])};
      }
    }
  });
  estimate_null(target_nulls_, alpha, target_null_);
  estimate_null(source_nulls_, alpha, source_null_);
}

Table Training::table() const {
  Table table;
  table.row_ends.reserve(pairs_.source_words());
  for (std::size_t word = 0; word < pairs_.source_words(); ++word) {
    for (std::uint64_t k = pairs_.row_begin(static_cast<WordId>(word)); k < pairs_.row_ends()[word];
         ++k) {
      const Translation& found = translations_[k];
      if (found.forward <= kFloor && found.reverse <= kFloor) continue;
      table.targets.push_back(pairs_.targets()[k]);
      table.translations.push_back(found);
    }
    table.row_ends.push_back(table.targets.size());
  }
  table.target_null = target_null_;
  table.source_null = source_null_;
  return table;
}

}  // namespace miriam::align
