// chrF's statistics of candidates for one sentence (Popovic, 2015), on sequences of characters.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "metrics/ngrams.hh"
#include "metrics/sequences.hh"

namespace miriam::metrics {

// F_beta in percent of averaged precision and recall over the orders that both sides have, from
// (candidate, reference, matches) of each order: sacreBLEU's, operation by operation, so that equal
// scores stay equal and the same reference is chosen.
double chrf_score(std::span<const double> stats, double beta);

class ChrfReferences {
 public:
  ChrfReferences(const Sequences& references, unsigned order, double beta);

  std::size_t columns() const { return 3 * std::size_t{counts_.order()}; }

  // A row for each candidate: n-grams in the candidate, in the reference, and in both, for each n;
  // against the reference that gives the best score (of equals the first).
  std::vector<double> stats(const Sequences& candidates) const;

  // The score of each row.
  std::vector<double> scores(std::span<const double> rows) const;

 private:
  NgramCounts counts_;
  double beta_;
  std::vector<std::size_t> lengths_;
};

}  // namespace miriam::metrics
