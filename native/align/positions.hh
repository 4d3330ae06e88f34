// Position models: which given word an observed word is likely to translate.
//
// A sentence pair enters, for one direction, as a matrix of translation probabilities: a row for
// each observed word, in it column 0 for NULL and column i for the i-th given word. A model turns
// it into posteriors of the same shape, or finds the best given word of each observed word.
#pragma once

#include <cstdint>
#include <span>
#include <variant>
#include <vector>

#include "align/matrix.hh"

namespace miriam::align {

// IBM 1 (Brown et al. 1993): NULL and all given words alike.
struct Uniform {};

// IBM 2 with a diagonal prior (Dyer, Chahuneau and Smith 2013, equation 1).
struct Diagonal {
  double tension = 4.0;
  double null = 0.08;
};

// HMM (Vogel, Ney and Tillmann 1996) whose NULL states remember the last given word (Och and Ney
// 2003): the weight of a jump depends on its distance, where all jumps of `window` or more words
// to one side share one weight. weights[window + distance]; 2 window + 1 of them.
struct Jumps {
  std::vector<float> weights;
  double null = 0.2;

  std::size_t window() const { return weights.size() / 2; }
};

using Positions = std::variant<Uniform, Diagonal, Jumps>;

// What a model adds up over the sentence pairs, to be reestimated from. The first is always the
// log-likelihood. Diagonal: gradient and information of the tension. Jumps: for each weight the
// expected jumps, then for each weight the expected jumps if all weights were one.
inline std::size_t statistics_size(const Uniform&) { return 1; }
inline std::size_t statistics_size(const Diagonal&) { return 3; }
inline std::size_t statistics_size(const Jumps& model) { return 1 + 2 * model.weights.size(); }

// Replaces translation probabilities by posteriors; the rows of the result sum to one.
void to_posteriors(const Uniform& model, Matrix& cells, std::span<double> statistics);
void to_posteriors(const Diagonal& model, Matrix& cells, std::span<double> statistics);
void to_posteriors(const Jumps& model, Matrix& cells, std::span<double> statistics);

// The best given word of each observed word (0: NULL), by Viterbi.
void find_best(const Uniform& model, const Matrix& cells, std::span<std::uint32_t> given);
void find_best(const Diagonal& model, const Matrix& cells, std::span<std::uint32_t> given);
void find_best(const Jumps& model, const Matrix& cells, std::span<std::uint32_t> given);

}  // namespace miriam::align
