// The candidates of one sentence, factored: Φ = [D | 0] + U·F.
//
// D has the dense features, whose ids are 0 to k. U says how often each candidate has each piece (a
// rule, a boundary, ...), and F which sparse features a piece has. Candidates share pieces, so Φw
// and Φᵀc cost what these parts cost; written out, Φ would cost as much as decoding.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tune/candidates.hh"

namespace miriam::tune {

// Rows of arrays that belong to others: row i ends at ends[i], the first begins at `begin`.
struct EndedRows {
  std::span<const std::uint64_t> ends;
  std::span<const std::int32_t> ids;
  std::span<const double> values;
  std::uint64_t begin = 0;
};

class Factored {
 public:
  // `dense` has as many values for each row of `uses`; the ids of `uses` count from `first_piece`,
  // the first row of `pieces`. Throws ConfigError unless everything fits together.
  Factored(std::span<const double> dense, std::size_t width, const EndedRows& uses,
           std::int32_t first_piece, const EndedRows& pieces);

  // The features, ascending, each once.
  const std::vector<std::int32_t>& ids() const { return ids_; }
  std::size_t size() const { return use_rows_.size() - 1; }
  // Φw for the weights of ids().
  std::vector<double> scores(std::span<const double> weights) const;
  // Φᵀc, which for coefficients that sum to 0 is the gradient. A feature that is constant gives
  // exactly 0: candidates are counted from the first one, and where the pieces of a feature cancel,
  // what is left is compared with the sizes of what was added.
  std::vector<double> gradient(std::span<const double> coefficients) const;

 private:
  struct Cell {
    std::int32_t column;
    double value;
  };
  using Rows = std::vector<std::size_t>;  // where each row begins, and the last ends

  static void read(const EndedRows& rows, Rows& begins, std::vector<Cell>& cells);

  std::size_t width_;
  std::vector<double> dense_;  // candidates x width_
  Rows use_rows_, piece_rows_;
  std::vector<Cell> uses_;    // pieces of candidates
  std::vector<Cell> pieces_;  // features of pieces, by their place in ids_
  std::vector<std::int32_t> ids_;
};

}  // namespace miriam::tune
