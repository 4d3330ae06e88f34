#include "metrics/bleu.hh"

#include <algorithm>

namespace miriam::metrics {

BleuReferences::BleuReferences(const Sequences& references, ReferenceLength which)
    : counts_(at_least_one(references), kOrder, NgramCounts::Columns::most), which_(which) {
  for (std::size_t r = 0; r < references.size(); ++r) lengths_.push_back(references[r].size());
  std::sort(lengths_.begin(), lengths_.end());
}

std::size_t BleuReferences::reference_length(std::size_t length) const {
  if (which_ == ReferenceLength::shortest) return lengths_.front();
  const auto distance = [length](std::size_t l) { return l > length ? l - length : length - l; };
  // In ascending order, the first of several minima is the shortest.
  return *std::ranges::min_element(lengths_, {}, distance);
}

std::vector<double> BleuReferences::stats(const Sequences& candidates) const {
  std::vector<double> rows(candidates.size() * kColumns);
  NgramCounts::Scratch scratch;
  double* row = rows.data();
  for (std::size_t i = 0; i < candidates.size(); ++i, row += kColumns) {
    const std::size_t length = candidates[i].size();
    counts_.match(candidates[i], scratch);
    row[0] = static_cast<double>(length);
    row[1] = static_cast<double>(reference_length(length));
    for (std::size_t n = 0; n < kOrder; ++n) {
      row[2 + n] = static_cast<double>(scratch.matches[n]);
      row[2 + kOrder + n] = static_cast<double>(ngrams(length, n + 1));
    }
  }
  return rows;
}

}  // namespace miriam::metrics
