#include "tune/factored.hh"

#include <cmath>
#include <numeric>

#include "base/error.hh"

namespace miriam::tune {

Factored::Factored(std::span<const double> dense, std::size_t width, const EndedRows& uses,
                   std::int32_t first_piece, const EndedRows& pieces)
    : width_(width), dense_(dense.begin(), dense.end()) {
  read(uses, use_rows_, uses_);
  read(pieces, piece_rows_, pieces_);
  bool fits = dense.size() == size() * width;
  for (Cell& use : uses_) {
    use.column -= first_piece;
    fits = fits && use.column >= 0 && static_cast<std::size_t>(use.column) + 1 < piece_rows_.size();
  }
  if (!fits) throw ConfigError("the parts of a factored list do not fit together");
  std::vector<std::int32_t> all(width);
  std::iota(all.begin(), all.end(), 0);
  all.reserve(width + pieces_.size());
  for (const Cell& cell : pieces_) all.push_back(cell.column);
  Numbering numbering = number(all);
  ids_ = std::move(numbering.ids);
  for (std::size_t i = 0; i < pieces_.size(); ++i)
    pieces_[i].column = numbering.positions[width + i];
}

void Factored::read(const EndedRows& rows, Rows& begins, std::vector<Cell>& cells) {
  begins.assign(1, 0);
  begins.reserve(rows.ends.size() + 1);
  std::uint64_t at = rows.begin;
  for (const std::uint64_t end : rows.ends) {
    if (end < at || end > rows.ids.size() || end > rows.values.size())
      throw ConfigError("the rows of a factored list do not fit together");
    for (; at < end; ++at) cells.push_back({rows.ids[at], rows.values[at]});
    begins.push_back(cells.size());
  }
}

// The dense features are the first of ids_, because theirs are the smallest ids.
std::vector<double> Factored::scores(std::span<const double> weights) const {
  std::vector<double> of_piece(piece_rows_.size() - 1);
  for (std::size_t p = 0; p < of_piece.size(); ++p)
    for (std::size_t i = piece_rows_[p]; i < piece_rows_[p + 1]; ++i)
      of_piece[p] += pieces_[i].value * weights[static_cast<std::size_t>(pieces_[i].column)];
  std::vector<double> totals(size());
  for (std::size_t d = 0; d < totals.size(); ++d) {
    for (std::size_t j = 0; j < width_; ++j) totals[d] += dense_[d * width_ + j] * weights[j];
    for (std::size_t i = use_rows_[d]; i < use_rows_[d + 1]; ++i)
      totals[d] += uses_[i].value * of_piece[static_cast<std::size_t>(uses_[i].column)];
  }
  return totals;
}

std::vector<double> Factored::gradient(std::span<const double> coefficients) const {
  constexpr double kRounding = 1e-12;  // as in candidates.cc
  struct Sum {
    double total = 0, size = 0;
    void add(double term) {
      total += term;
      size += std::abs(term);
    }
  };
  std::vector<Sum> sums(ids_.size());
  if (size() == 0) return {};
  // Of each piece the sum of c_d (u_dp - u_0p): how much more often than the first one has it.
  std::vector<Sum> of_piece(piece_rows_.size() - 1);
  std::vector<double> first(of_piece.size());
  for (std::size_t i = 0; i < use_rows_[1]; ++i)
    first[static_cast<std::size_t>(uses_[i].column)] = uses_[i].value;
  std::vector<std::size_t> seen_in(of_piece.size());
  for (std::size_t d = 1; d < size(); ++d) {
    const double c = coefficients[d];
    if (c == 0) continue;
    for (std::size_t j = 0; j < width_; ++j) sums[j].add(c * (dense_[d * width_ + j] - dense_[j]));
    for (std::size_t i = use_rows_[d]; i < use_rows_[d + 1]; ++i) {
      const auto piece = static_cast<std::size_t>(uses_[i].column);
      seen_in[piece] = d;
      of_piece[piece].add(c * (uses_[i].value - first[piece]));
    }
    for (std::size_t i = 0; i < use_rows_[1]; ++i)
      if (const auto piece = static_cast<std::size_t>(uses_[i].column); seen_in[piece] != d)
        of_piece[piece].add(-c * uses_[i].value);
  }
  for (std::size_t p = 0; p < of_piece.size(); ++p) {
    if (of_piece[p].size == 0) continue;
    for (std::size_t i = piece_rows_[p]; i < piece_rows_[p + 1]; ++i) {
      Sum& sum = sums[static_cast<std::size_t>(pieces_[i].column)];
      sum.total += of_piece[p].total * pieces_[i].value;
      sum.size += of_piece[p].size * std::abs(pieces_[i].value);
    }
  }
  std::vector<double> found(sums.size());
  for (std::size_t j = 0; j < found.size(); ++j)
    if (std::abs(sums[j].total) > kRounding * sums[j].size) found[j] = sums[j].total;
  return found;
}

}  // namespace miriam::tune
