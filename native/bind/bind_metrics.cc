// Sentence-level scores of candidates.
#include <nanobind/stl/string_view.h>

#include <string_view>

#include "bind/bind.hh"
#include "metrics/bleu.hh"
#include "metrics/chrf.hh"
#include "metrics/edits.hh"

namespace miriam::bind {
namespace {

using namespace metrics;
using namespace nb::literals;
using Ids = Array<Id>;
using Ends = Array<std::uint64_t>;
using Rows = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Matrix = nb::ndarray<nb::numpy, double, nb::ndim<2>>;

Matrix to_matrix(std::vector<double>&& values, std::size_t columns) {
  const std::size_t rows = values.size() / columns;
  auto* kept = new std::vector<double>(std::move(values));
  nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::vector<double>*>(p); });
  return {kept->data(), {rows, columns}, owner};
}

// References.stats(ids, ends), the same for every metric.
template <class References>
Matrix stats(const References& references, const Ids& ids, const Ends& ends, std::size_t columns) {
  std::vector<double> rows;
  {
    const nb::gil_scoped_release release;
    rows = references.stats(Sequences(view(ids), view(ends)));
  }
  return to_matrix(std::move(rows), columns);
}

ReferenceLength which_length(std::string_view name) {
  if (name == "closest") return ReferenceLength::closest;
  if (name == "shortest") return ReferenceLength::shortest;
  throw ConfigError("reference_length must be 'closest' or 'shortest'");
}

}  // namespace

void bind_metrics(nb::module_& m) {
  const auto ids = "ids"_a.noconvert();
  const auto ends = "ends"_a.noconvert();

  nb::class_<BleuReferences>(
      m, "BleuReferences",
      "The references of one sentence, word ids, prepared for BLEU's statistics of candidates.")
      .def(
          "__init__",
          [](BleuReferences* self, const Ids& i, const Ends& e, std::string_view which) {
            const nb::gil_scoped_release release;
            new (self) BleuReferences(Sequences(view(i), view(e)), which_length(which));
          },
          ids, ends, "reference_length"_a = "closest")
      .def(
          "stats",
          [](const BleuReferences& self, const Ids& i, const Ends& e) {
            return stats(self, i, e, BleuReferences::kColumns);
          },
          ids, ends,
          "A row for each candidate: length, reference length, matches of 1- to 4-grams, totals.")
      .def_prop_ro("shortest", &BleuReferences::shortest, "The shortest reference's length.");

  nb::class_<ChrfReferences>(
      m, "ChrfReferences",
      "The references of one sentence, code points, prepared for chrF's statistics of candidates.")
      .def(
          "__init__",
          [](ChrfReferences* self, const Ids& i, const Ends& e, unsigned order, double beta) {
            const nb::gil_scoped_release release;
            new (self) ChrfReferences(Sequences(view(i), view(e)), order, beta);
          },
          ids, ends, "order"_a = 6, "beta"_a = 2.0)
      .def(
          "stats",
          [](const ChrfReferences& self, const Ids& i, const Ends& e) {
            return stats(self, i, e, self.columns());
          },
          ids, ends,
          "A row for each candidate: n-grams of it, of the best reference, of both, for each n.")
      .def(
          "scores",
          [](const ChrfReferences& self, const Rows& rows) {
            if (rows.shape(1) != self.columns()) throw ConfigError("not statistics of this chrF");
            std::vector<double> scores;
            {
              const nb::gil_scoped_release release;
              scores = self.scores({rows.data(), rows.size()});
            }
            return to_numpy(std::move(scores));
          },
          "stats"_a.noconvert(), "ChrF of each row of statistics, in percent.");

  nb::class_<EditReferences>(
      m, "EditReferences",
      "The references of one sentence, ids, prepared for edit distances from candidates.")
      .def(
          "__init__",
          [](EditReferences* self, const Ids& i, const Ends& e) {
            const nb::gil_scoped_release release;
            new (self) EditReferences(Sequences(view(i), view(e)));
          },
          ids, ends)
      .def(
          "stats",
          [](const EditReferences& self, const Ids& i, const Ends& e) {
            return stats(self, i, e, EditReferences::kColumns);
          },
          ids, ends, "A row for each candidate: edits, and the closest reference's length.");
}

}  // namespace miriam::bind
