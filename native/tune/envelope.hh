// Och's exact line search (2003): which candidate of each sentence is best along a line of weights.
//
// On the line w + x·d a candidate's score is the line b + a·x with b = w·f and a = d·f. The best
// candidate as x grows from minus to plus infinity runs along the upper envelope of those lines.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace miriam::tune {

// One change of the best candidate: at x, and in its sentence, `from` hands over to `to`.
struct Envelopes {
  std::vector<std::int64_t> first;  // of each sentence the best candidate at minus infinity
  std::vector<double> at;           // by sentence, ascending within one
  std::vector<std::int64_t> from;
  std::vector<std::int64_t> to;
};

// `offsets[s]` is where sentence s begins; a sentence without candidates is not allowed.
Envelopes envelopes(std::span<const std::int64_t> offsets, std::span<const double> intercepts,
                    std::span<const double> slopes, unsigned threads);

// The sum over features k of direction[k] · columns[k·n + i] for each of the n candidates i.
std::vector<double> combine(std::span<const double> columns, std::span<const double> direction,
                            std::size_t n, unsigned threads);

}  // namespace miriam::tune
