// What the rest of a sentence will cost at best: a chart over spans (Koehn et al. 2003, 3.3).
#pragma once

#include <cstdint>
#include <vector>

#include "search/coverage.hh"
#include "search/lattice.hh"

namespace miriam::search {

class FutureScores {
 public:
  FutureScores(const Lattice& lattice, const OptionCache& options);

  // The best score of all that is not covered, without what non-local features add.
  double of(const Coverage& coverage) const {
    double total = suffix_[coverage.end()];
    coverage.for_each_gap(
        [&](std::uint32_t begin, std::uint32_t end) { total += at(begin, end - begin); });
    return total;
  }

 private:
  double at(std::uint32_t begin, std::uint32_t length) const {
    return spans_[begin * Coverage::kWindow + length - 1];
  }

  std::vector<double> spans_;   // by begin and length; no gap is longer than the window
  std::vector<double> suffix_;  // from a word to the end of the sentence
};

}  // namespace miriam::search
