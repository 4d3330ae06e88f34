// Word alignments: Pharaoh format, symmetrisation, training, aligning.
#include <nanobind/stl/array.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include <algorithm>

#include "align/aligner.hh"
#include "align/links.hh"
#include "align/symmetrise.hh"
#include "align/training.hh"
#include "base/error.hh"
#include "bind/bind.hh"

namespace miriam::bind {
namespace {

using namespace align;
using namespace nb::literals;
using Ids = Array<WordId>;
using Ends = Array<std::uint64_t>;

// Arrays of pairs: Link as two uint32, Translation as two float.
template <class T>
using Pairs = nb::ndarray<const T, nb::shape<-1, 2>, nb::c_contig, nb::device::cpu>;
template <class T>
using NumpyPairs = nb::ndarray<nb::numpy, T, nb::shape<-1, 2>>;

static_assert(sizeof(Link) == 2 * sizeof(std::uint32_t));
static_assert(sizeof(Translation) == 2 * sizeof(float));

template <class T, class Pair>
NumpyPairs<T> pairs_to_numpy(std::vector<Pair>&& pairs) {
  auto* kept = new std::vector<Pair>(std::move(pairs));
  nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::vector<Pair>*>(p); });
  return {kept->data(), {kept->size(), 2}, owner};
}

template <class Pair, class T>
std::span<const Pair> pairs_view(const Pairs<T>& pairs) {
  return {reinterpret_cast<const Pair*>(pairs.data()), pairs.shape(0)};
}

using PythonLinks = std::pair<NumpyPairs<std::uint32_t>, Numpy<std::uint64_t>>;

PythonLinks to_python(Links&& links) {
  return {pairs_to_numpy<std::uint32_t>(std::move(links.points)), to_numpy(std::move(links.ends))};
}

LinksView links_view(const Pairs<std::uint32_t>& points, const Ends& ends) {
  return {pairs_view<Link>(points), view(ends)};
}

void bind_links(nb::module_& m) {
  m.def(
      "parse_links",
      [](nb::bytes text, const Ends& source_ends, const Ends& target_ends, std::size_t first,
         std::string_view name) {
        const std::string_view lines{text.c_str(), text.size()};
        const Lengths lengths{view(source_ends), view(target_ends)};
        nb::gil_scoped_release release;
        Links links = parse_links(lines, lengths, first, name);
        nb::gil_scoped_acquire acquire;
        return to_python(std::move(links));
      },
      "text"_a, "source_ends"_a.noconvert(), "target_ends"_a.noconvert(), "first"_a, "name"_a,
      "The links that lines of Pharaoh format give to the sentence pairs from `first` on.");
  m.def(
      "format_links",
      [](const Pairs<std::uint32_t>& points, const Ends& ends) {
        nb::gil_scoped_release release;
        const std::string text = format_links(links_view(points, ends));
        nb::gil_scoped_acquire acquire;
        return nb::bytes(text.data(), text.size());
      },
      "points"_a.noconvert(), "ends"_a.noconvert(),
      "Lines of Pharaoh format, one a sentence pair.");

  nb::enum_<Symmetrisation>(m, "Symmetrisation", "How two directions become one alignment.")
      .value("INTERSECTION", Symmetrisation::intersection)
      .value("UNION", Symmetrisation::union_)
      .value("GROW", Symmetrisation::grow)
      .value("GROW_DIAG", Symmetrisation::grow_diag)
      .value("GROW_DIAG_FINAL", Symmetrisation::grow_diag_final)
      .value("GROW_DIAG_FINAL_AND", Symmetrisation::grow_diag_final_and);
  m.def(
      "symmetrise",
      [](const Pairs<std::uint32_t>& forward, const Ends& forward_ends,
         const Pairs<std::uint32_t>& reverse, const Ends& reverse_ends, Symmetrisation how) {
        nb::gil_scoped_release release;
        Links links =
            symmetrise(links_view(forward, forward_ends), links_view(reverse, reverse_ends), how);
        nb::gil_scoped_acquire acquire;
        return to_python(std::move(links));
      },
      "forward"_a.noconvert(), "forward_ends"_a.noconvert(), "reverse"_a.noconvert(),
      "reverse_ends"_a.noconvert(), "how"_a, "One alignment from those of both directions.");
}

void bind_positions(nb::module_& m) {
  nb::class_<Uniform>(m, "Uniform", "IBM 1: all given words are alike.").def(nb::init<>());
  nb::class_<Diagonal>(m, "Diagonal", "IBM 2 with a diagonal prior.")
      .def(nb::init<double, double>(), "tension"_a, "null"_a)
      .def_ro("tension", &Diagonal::tension)
      .def_ro("null", &Diagonal::null);
  nb::class_<Jumps>(m, "Jumps", "An HMM: the weight of a jump from the last given word.")
      .def(
          "__init__",
          [](Jumps* self, std::vector<float> weights, double null) {
            if (weights.size() < 3 || weights.size() % 2 == 0) {
              throw ConfigError("the weights of jumps are an odd number, 3 or more, not " +
                                std::to_string(weights.size()));
            }
            new (self) Jumps{std::move(weights), null};
          },
          "weights"_a, "null"_a)
      .def_ro("weights", &Jumps::weights)
      .def_ro("null", &Jumps::null);
}

// A bitext whose arrays Python keeps alive.
struct PythonBitext {
  Ids source_ids;
  Ends source_ends;
  Ids target_ids;
  Ends target_ends;

  Bitext view() const {
    return {{bind::view(source_ids), bind::view(source_ends)},
            {bind::view(target_ids), bind::view(target_ends)}};
  }
};

// EM over a bitext whose arrays it keeps.
struct PythonTraining {
  PythonBitext bitext;
  Training training;

  PythonTraining(PythonBitext kept, std::pair<std::size_t, std::size_t> words, unsigned threads,
                 Progress& progress)
      : bitext(std::move(kept)),
        training(bitext.view(), {words.first, words.second}, threads, progress) {}
};

void bind_training(nb::module_& m) {
  nb::class_<PythonBitext>(m, "Bitext", "Word ids of both sides of a bitext.")
      .def(nb::init<Ids, Ends, Ids, Ends>(), "source_ids"_a.noconvert(),
           "source_ends"_a.noconvert(), "target_ids"_a.noconvert(), "target_ends"_a.noconvert());
  nb::class_<PythonTraining>(m, "Training", "EM for the translations of both directions.")
      .def(nb::init<PythonBitext, std::pair<std::size_t, std::size_t>, unsigned, Progress&>(),
           "bitext"_a, "words"_a, "threads"_a, "progress"_a,
           nb::call_guard<nb::gil_scoped_release>())
      .def(
          "expect",
          [](PythonTraining& self, Positions forward, Positions reverse, bool agree,
             unsigned threads, Progress& progress) {
            nb::gil_scoped_release release;
            return self.training.expect({std::move(forward), std::move(reverse), agree}, threads,
                                        progress);
          },
          "forward"_a, "reverse"_a, "agree"_a, "threads"_a, "progress"_a,
          "Count posteriors; the statistics of both position models, log-likelihood first.")
      .def(
          "maximise",
          [](PythonTraining& self, double alpha, unsigned threads) {
            nb::gil_scoped_release release;
            self.training.maximise(alpha, threads);
          },
          "alpha"_a, "threads"_a, "Turn the counts into probabilities.")
      .def(
          "table",
          [](const PythonTraining& self) {
            nb::gil_scoped_release release;
            Table table = self.training.table();
            nb::gil_scoped_acquire acquire;
            return std::tuple(
                to_numpy(std::move(table.row_ends)), to_numpy(std::move(table.targets)),
                pairs_to_numpy<float>(std::move(table.translations)),
                to_numpy(std::move(table.target_null)), to_numpy(std::move(table.source_null)));
          },
          "The arrays row_ends, targets, translations, target_null, source_null.");
}

// A trained table and its position models; it keeps the arrays, which may be mapped from a file.
struct PythonAligner {
  Ends row_ends;
  Ids targets;
  Pairs<float> translations;
  Array<float> target_null, source_null;
  Positions forward, reverse;

  Aligner view() const {
    return {{bind::view(row_ends), bind::view(targets), pairs_view<Translation>(translations),
             bind::view(target_null), bind::view(source_null)},
            forward,
            reverse};
  }
};

void check_table(const PythonAligner& aligner) {
  const auto ends = view(aligner.row_ends);
  if (!std::is_sorted(ends.begin(), ends.end()) ||
      (ends.empty() ? 0 : ends.back()) != aligner.targets.size() ||
      aligner.targets.size() != aligner.translations.shape(0)) {
    throw ModelError("a translation table whose arrays do not fit together");
  }
}

void bind_aligner(nb::module_& m) {
  nb::class_<PythonAligner>(m, "Aligner", "A trained translation table and its position models.")
      .def(
          "__init__",
          [](PythonAligner* self, std::tuple<Ends, Ids, Pairs<float>, Array<float>, Array<float>> t,
             Positions forward, Positions reverse) {
            auto& [row_ends, targets, translations, target_null, source_null] = t;
            new (self) PythonAligner{row_ends,          targets,     translations,
                                     target_null,       source_null, std::move(forward),
                                     std::move(reverse)};
            check_table(*self);
          },
          "table"_a.noconvert(), "forward"_a, "reverse"_a)
      .def(
          "best",
          [](const PythonAligner& self, const PythonBitext& bitext, unsigned threads,
             Progress& progress) {
            nb::gil_scoped_release release;
            Directions links = align_best(self.view(), bitext.view(), threads, progress);
            nb::gil_scoped_acquire acquire;
            return std::pair(to_python(std::move(links.forward)),
                             to_python(std::move(links.reverse)));
          },
          "bitext"_a, "threads"_a, "progress"_a, "The best links of each direction, by Viterbi.")
      .def(
          "likely",
          [](const PythonAligner& self, const PythonBitext& bitext, float threshold,
             unsigned threads, Progress& progress) {
            nb::gil_scoped_release release;
            Links links = align_likely(self.view(), bitext.view(), threshold, threads, progress);
            nb::gil_scoped_acquire acquire;
            return to_python(std::move(links));
          },
          "bitext"_a, "threshold"_a, "threads"_a, "progress"_a,
          "The links whose posteriors, the mean of both directions, reach the threshold.");
}

}  // namespace

void bind_align(nb::module_& m) {
  bind_links(m);
  bind_positions(m);
  bind_training(m);
  bind_aligner(m);
}

}  // namespace miriam::bind
