#include "search/future.hh"

#include <algorithm>
#include <limits>

namespace miriam::search {

// Best over the first option's length: the rest is a span that begins later, and is known already.
FutureScores::FutureScores(const Lattice& lattice, const OptionCache& options)
    : spans_(std::size_t{lattice.words()} * Coverage::kWindow,
             -std::numeric_limits<double>::infinity()),
      suffix_(lattice.words() + 1, -std::numeric_limits<double>::infinity()) {
  suffix_[lattice.words()] = 0;
  for (std::uint32_t begin = lattice.words(); begin-- > 0;) {
    double* row = &spans_[std::size_t{begin} * Coverage::kWindow];
    const std::uint32_t widest = std::min(Coverage::kWindow, lattice.words() - begin);
    for (std::uint32_t first = 1; first <= lattice.longest(begin); ++first) {
      const OptionRange range = lattice.at(begin, begin + first);
      if (range.count == 0) continue;
      const double best = options[range.first].score;
      suffix_[begin] = std::max(suffix_[begin], best + suffix_[begin + first]);
      if (first > widest) continue;
      row[first - 1] = std::max(row[first - 1], best);
      for (std::uint32_t length = first + 1; length <= widest; ++length)
        row[length - 1] = std::max(row[length - 1], best + at(begin + first, length - first));
    }
  }
}

}  // namespace miriam::search
