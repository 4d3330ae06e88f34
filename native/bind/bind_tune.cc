// Learning on n-best lists: rows of features, Moses' files, and the envelopes of a line search.
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>

#include <tuple>

#include "base/error.hh"
#include "bind/bind.hh"
#include "lexicon/vocabulary.hh"
#include "tune/candidates.hh"
#include "tune/envelope.hh"
#include "tune/factored.hh"
#include "tune/moses.hh"

namespace miriam::bind {
namespace {

using namespace tune;
using namespace nb::literals;
using Doubles = Array<double>;
using Offsets = Array<std::int64_t>;
using Columns = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

// Rows over arrays that Python keeps alive, checked once.
class Candidates {
 public:
  Candidates(Offsets offsets, Array<std::int32_t> columns, Doubles values, std::size_t width)
      : offsets_(std::move(offsets)),
        columns_(std::move(columns)),
        values_(std::move(values)),
        width_(width),
        rows_{view(offsets_), view(columns_), view(values_)} {
    check(rows_, width_);
  }

  Numpy<double> scores(const Doubles& weights) const {
    if (weights.size() != width_) throw ConfigError("as many weights as columns are needed");
    return without_gil([&] { return tune::scores(rows_, view(weights)); });
  }

  Numpy<double> gradient(const Doubles& coefficients) const {
    if (coefficients.size() != rows_.size()) throw ConfigError("a coefficient a row is needed");
    return without_gil([&] { return tune::gradient(rows_, view(coefficients), width_); });
  }

  static Numpy<double> without_gil(const auto& task) {
    std::vector<double> result;
    {
      const nb::gil_scoped_release release;
      result = task();
    }
    return to_numpy(std::move(result));
  }

 private:
  Offsets offsets_;
  Array<std::int32_t> columns_;
  Doubles values_;
  std::size_t width_;
  SparseRows rows_;
};

using Matrix = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using RowArrays = std::tuple<Array<std::uint64_t>, Array<std::int32_t>, Doubles>;
using Range = std::pair<std::size_t, std::size_t>;

// Some of the rows of a batch's arrays.
EndedRows some_rows(const RowArrays& rows, Range wanted) {
  const auto& [ends, ids, values] = rows;
  if (wanted.first > wanted.second || wanted.second > ends.size())
    throw ConfigError("the parts of a factored list do not fit together");
  const std::uint64_t begin = wanted.first == 0 ? 0 : view(ends)[wanted.first - 1];
  return {view(ends).subspan(wanted.first, wanted.second - wanted.first), view(ids), view(values),
          begin};
}

void bind_factored(nb::module_& m) {
  nb::class_<Factored>(m, "Factored", "The candidates of one sentence, factored.")
      .def(
          "__init__",
          [](Factored* made, const Matrix& dense, const RowArrays& uses, const RowArrays& pieces,
             Range candidates, Range wanted) {
            const std::size_t width = dense.shape(1);
            const std::span<const double> all{dense.data(), dense.size()};
            const EndedRows used = some_rows(uses, candidates);
            const EndedRows made_of = some_rows(pieces, wanted);
            if (candidates.second > dense.shape(0))
              throw ConfigError("the parts of a factored list do not fit together");
            const nb::gil_scoped_release release;
            new (made) Factored(all.subspan(candidates.first * width,
                                            (candidates.second - candidates.first) * width),
                                width, used, static_cast<std::int32_t>(wanted.first), made_of);
          },
          "dense"_a.noconvert(), "uses"_a.noconvert(), "pieces"_a.noconvert(), "candidates"_a,
          "wanted"_a, "Of a batch: these candidates, and the pieces of their sentence.")
      .def("__len__", &Factored::size)
      .def(
          "ids", [](const Factored& list) { return to_numpy(std::vector(list.ids())); },
          "The features, ascending.")
      .def(
          "scores",
          [](const Factored& list, const Doubles& weights) {
            if (weights.size() != list.ids().size())
              throw ConfigError("as many weights as features are needed");
            return Candidates::without_gil([&] { return list.scores(view(weights)); });
          },
          "weights"_a.noconvert(), "The score of each candidate.")
      .def(
          "gradient",
          [](const Factored& list, const Doubles& coefficients) {
            if (coefficients.size() != list.size())
              throw ConfigError("a coefficient a candidate is needed");
            return Candidates::without_gil([&] { return list.gradient(view(coefficients)); });
          },
          "coefficients"_a.noconvert(),
          "The sum of the candidates times their coefficients, counted from the first one.");
}

auto to_python(NBestLines&& lines) {
  return std::tuple(to_numpy(std::move(lines.sentences)),
                    to_numpy(std::move(lines.hypothesis_begin)),
                    to_numpy(std::move(lines.hypothesis_end)), to_numpy(std::move(lines.totals)),
                    to_numpy(std::move(lines.offsets)), to_numpy(std::move(lines.ids)),
                    to_numpy(std::move(lines.values)));
}

}  // namespace

void bind_tune(nb::module_& m) {
  bind_factored(m);
  nb::class_<Candidates>(m, "Candidates", "The candidates of one sentence as rows of features.")
      .def(nb::init<Offsets, Array<std::int32_t>, Doubles, std::size_t>(), "offsets"_a.noconvert(),
           "columns"_a.noconvert(), "values"_a.noconvert(), "width"_a)
      .def("scores", &Candidates::scores, "weights"_a.noconvert(),
           "The score of each row, for a weight a column.")
      .def("gradient", &Candidates::gradient, "coefficients"_a.noconvert(),
           "The sum of the rows times their coefficients, counted from the first row.");
  m.def(
      "number",
      [](const Array<std::int32_t>& ids) {
        Numbering numbering;
        {
          const nb::gil_scoped_release release;
          numbering = number(view(ids));
        }
        return std::pair(to_numpy(std::move(numbering.ids)),
                         to_numpy(std::move(numbering.positions)));
      },
      "ids"_a.noconvert(), "The different ids, ascending, and where each id stands among them.");
  m.def(
      "parse_moses",
      [](nb::bytes block, std::size_t first_line, lexicon::Vocabulary& names) {
        return to_python(parse_moses({block.c_str(), block.size()}, first_line, names));
      },
      "block"_a, "first_line"_a, "names"_a,
      "Lines of an n-best file: sentence, begin and end of the text, total; features.");
  m.def(
      "envelopes",
      [](const Offsets& offsets, const Doubles& intercepts, const Doubles& slopes,
         unsigned threads) {
        Envelopes found;
        {
          const nb::gil_scoped_release release;
          found = envelopes(view(offsets), view(intercepts), view(slopes), threads);
        }
        return std::tuple(to_numpy(std::move(found.first)), to_numpy(std::move(found.at)),
                          to_numpy(std::move(found.from)), to_numpy(std::move(found.to)));
      },
      "offsets"_a.noconvert(), "intercepts"_a.noconvert(), "slopes"_a.noconvert(), "threads"_a,
      "The best candidates along a line: the first ones, then where which gives way to which.");
  m.def(
      "combine",
      [](const Columns& columns, const Doubles& direction, unsigned threads) {
        if (columns.shape(0) != direction.size())
          throw ConfigError("columns of features that do not fit the direction");
        return Candidates::without_gil([&] {
          return combine({columns.data(), columns.size()}, view(direction), columns.shape(1),
                         threads);
        });
      },
      "columns"_a.noconvert(), "direction"_a.noconvert(), "threads"_a,
      "The columns times the direction, summed: a number for each candidate.");
}

}  // namespace miriam::bind
