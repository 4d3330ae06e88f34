#include "metrics/chrf.hh"

#include <algorithm>

namespace miriam::metrics {

double chrf_score(std::span<const double> stats, double beta) {
  double precision = 0, recall = 0;
  int orders = 0;
  for (std::size_t i = 0; i < stats.size(); i += 3) {
    const double candidate = stats[i], reference = stats[i + 1], matches = stats[i + 2];
    if (candidate > 0 && reference > 0) {
      precision += matches / candidate;
      recall += matches / reference;
      ++orders;
    }
  }
  if (orders == 0) return 0;
  precision /= orders;
  recall /= orders;
  if (precision + recall == 0) return 0;
  const double factor = beta * beta;
  return 100 * ((1 + factor) * precision * recall / (factor * precision + recall));
}

ChrfReferences::ChrfReferences(const Sequences& references, unsigned order, double beta)
    : counts_(at_least_one(references), order, NgramCounts::Columns::each_reference), beta_(beta) {
  for (std::size_t r = 0; r < references.size(); ++r) lengths_.push_back(references[r].size());
}

std::vector<double> ChrfReferences::stats(const Sequences& candidates) const {
  std::vector<double> rows(candidates.size() * columns());
  std::vector<double> row(columns());
  NgramCounts::Scratch scratch;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    counts_.match(candidates[i], scratch);
    double best = -1;
    for (std::size_t r = 0; r < lengths_.size(); ++r) {
      for (std::size_t n = 0; n < counts_.order(); ++n) {
        const std::size_t reference = ngrams(lengths_[r], n + 1);
        // A candidate's n-grams do not count against it where the reference has none.
        row[3 * n] = reference > 0 ? static_cast<double>(ngrams(candidates[i].size(), n + 1)) : 0;
        row[3 * n + 1] = static_cast<double>(reference);
        row[3 * n + 2] = static_cast<double>(scratch.matches[n * counts_.columns() + r]);
      }
      const double score = chrf_score(row, beta_);
      if (score > best) {
        best = score;
        std::copy(row.begin(), row.end(),
                  rows.begin() + static_cast<std::ptrdiff_t>(i * columns()));
      }
    }
  }
  return rows;
}

std::vector<double> ChrfReferences::scores(std::span<const double> rows) const {
  std::vector<double> scores(rows.size() / columns());
  for (std::size_t i = 0; i < scores.size(); ++i) {
    scores[i] = chrf_score(rows.subspan(i * columns(), columns()), beta_);
  }
  return scores;
}

}  // namespace miriam::metrics
