// BLEU's statistics of candidates for one sentence (Papineni et al., 2002).
#pragma once

#include <cstddef>
#include <vector>

#include "metrics/ngrams.hh"
#include "metrics/sequences.hh"

namespace miriam::metrics {

// Which reference's length the brevity penalty sees: the one closest to the candidate's (of two
// equally close ones the shorter, as in mteval and sacreBLEU), or always the shortest.
enum class ReferenceLength { closest, shortest };

class BleuReferences {
 public:
  static constexpr unsigned kOrder = 4;
  static constexpr std::size_t kColumns = 2 + 2 * kOrder;

  BleuReferences(const Sequences& references, ReferenceLength which);

  // A row for each candidate: its length, the reference length, matches of 1- to 4-grams, and
  // totals of 1- to 4-grams. The rows of a corpus add up to sacreBLEU's statistics of it.
  std::vector<double> stats(const Sequences& candidates) const;

  std::size_t shortest() const { return lengths_.front(); }

 private:
  std::size_t reference_length(std::size_t length) const;

  NgramCounts counts_;
  ReferenceLength which_;
  std::vector<std::size_t> lengths_;  // ascending
};

}  // namespace miriam::metrics
