// Language models: estimating, reading and writing them, and scoring with them.
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "bind/bind.hh"
#include "bind/mapped.hh"
#include "lm/arpa.hh"
#include "lm/estimate.hh"
#include "lm/model.hh"
#include "lm/span.hh"

namespace miriam::bind {
namespace {

using namespace lm;
using Numbers = Array<std::uint32_t>;

// The arrays of a vocabulary, kept alive.
struct Words {
  Words(Array<std::uint8_t> text_array, Array<std::uint64_t> ends_array,
        Array<std::uint64_t> slots_array)
      : text(std::move(text_array)),
        ends(std::move(ends_array)),
        slots(std::move(slots_array)),
        view({reinterpret_cast<const char*>(text.data()), text.size()}, bind::view(ends),
             {reinterpret_cast<const lexicon::Slot*>(slots.data()), slots.size()}) {}

  Array<std::uint8_t> text;
  Array<std::uint64_t> ends;
  Array<std::uint64_t> slots;
  lexicon::VocabularyView view;
};

// The words and n-grams of a model in memory, as the arrays that a MappedModel is made of.
struct Arrays {
  BuiltModel built;
  template <class T, class From>
  static Numpy<T> view_of(const std::vector<From>& values, nb::handle owner) {
    const auto* data = reinterpret_cast<const T*>(values.data());
    return {const_cast<T*>(data), {values.size() * sizeof(From) / sizeof(T)}, owner};
  }
};

nb::bytes next_piece(ArpaWriter& writer) {
  std::string text;
  {
    nb::gil_scoped_release release;
    text = writer.next();
  }
  return nb::bytes(text.data(), text.size());
}

std::pair<Numpy<float>, Numpy<std::uint8_t>> score(const MappedModel& mapped, const Numbers& ids,
                                                   const Array<std::uint64_t>& ends) {
  const auto words = view(ids);
  const auto sentences = view(ends);
  if ((sentences.empty() ? 0 : sentences.back()) != words.size() ||
      !std::is_sorted(sentences.begin(), sentences.end())) {
    throw ConfigError("the ends of the sentences do not fit the words");
  }
  std::vector<float> logs(words.size() + sentences.size());
  std::vector<std::uint8_t> orders(logs.size());
  {
    nb::gil_scoped_release release;
    score_text(mapped.model(), words, sentences, {logs, orders});
  }
  return {to_numpy(std::move(logs)), to_numpy(std::move(orders))};
}

std::pair<float, State> score_word(const MappedModel& mapped, const State& state, WordId word) {
  State next;
  const float log = mapped.model().score(state, mapped.known(word), next);
  return {log, next};
}

// What a span is made of: words, and spans scored before; -1 stands for the next of these.
std::pair<float, SpanState> score_span(const MappedModel& mapped, const std::vector<long>& parts,
                                       const std::vector<std::pair<float, SpanState>>& spans,
                                       bool begin) {
  SpanState state;
  SpanScorer scorer(mapped.model(), state);
  if (begin) scorer.begin_sentence();
  std::size_t next = 0;
  for (const long part : parts) {
    if (part >= 0) {
      scorer.word(mapped.known(static_cast<WordId>(part)));
    } else if (next < spans.size()) {
      scorer.span(spans[next].second, spans[next].first);
      ++next;
    } else {
      throw ConfigError("more spans are asked for than given");
    }
  }
  return {scorer.score(), state};
}

std::vector<WordId> words_of(const State& state) {
  return {state.words.begin(), state.words.begin() + state.length};
}

void bind_estimation(nb::module_& m) {
  nb::class_<ArpaWriter>(m, "ArpaWriter", "The text of an ARPA file, piece by piece.")
      .def("next", &next_piece, "The next piece; an empty one at the end.");

  nb::class_<Arrays>(m, "BuiltModel", "A model in memory, as the arrays of a Model.")
      .def_prop_ro("order", [](const Arrays& a) { return a.built.table.view().order(); })
      .def_prop_ro("counts", [](const Arrays& a) { return a.built.table.counts(); })
      .def_prop_ro("unigrams",
                   [](nb::handle_t<Arrays> self) {
                     const auto& table = nb::cast<const Arrays&>(self).built.table;
                     return Arrays::view_of<float>(table.unigrams(), self);
                   })
      .def_prop_ro("slots",
                   [](nb::handle_t<Arrays> self) {
                     const auto& table = nb::cast<const Arrays&>(self).built.table;
                     return Arrays::view_of<std::uint32_t>(table.lines(), self);
                   })
      .def_prop_ro(
          "vocabulary", [](const Arrays& a) -> const auto& { return a.built.vocabulary; },
          nb::rv_policy::reference_internal);

  nb::class_<ArpaReader>(m, "ArpaReader", "Reads an ARPA file block by block.")
      .def(nb::init<>())
      .def(
          "add",
          [](ArpaReader& reader, nb::bytes block) {
            const std::string_view text{block.c_str(), block.size()};
            nb::gil_scoped_release release;
            reader.add(text);
          },
          nb::arg("block"), "Take up whole lines.")
      .def(
          "finish", [](ArpaReader& reader) { return Arrays{reader.finish()}; },
          "The model, after the last block.")
      .def_prop_ro("lacked_unknown", &ArpaReader::lacked_unknown);

  nb::class_<Estimator>(m, "Estimator", "Interpolated modified Kneser-Ney.")
      .def(
          "__init__",
          [](Estimator* self, std::size_t order, std::vector<std::uint32_t> thresholds,
             std::uint64_t memory, unsigned threads, std::string folder) {
            new (self)
                Estimator({order, memory, threads, std::move(folder), std::move(thresholds)});
          },
          nb::arg("order"), nb::arg("thresholds"), nb::arg("memory"), nb::arg("threads"),
          nb::arg("folder"))
      .def(
          "add",
          [](Estimator& estimator, nb::bytes block, std::uint64_t first_line) {
            const std::string_view text{block.c_str(), block.size()};
            nb::gil_scoped_release release;
            estimator.add(text, first_line);
          },
          nb::arg("block"), nb::arg("first_line"), "Take up lines of tokens.")
      .def("keep_words", nb::overload_cast<std::string_view>(&Estimator::limit_vocabulary),
           nb::arg("words"), "Leave out of the model all words but these.")
      .def("keep_most_frequent", nb::overload_cast<std::size_t>(&Estimator::limit_vocabulary),
           nb::arg("most"), "Leave out of the model all words but so many.")
      .def("count", &Estimator::count, nb::arg("progress"),
           nb::call_guard<nb::gil_scoped_release>(), "Count the n-grams of all orders.")
      .def("estimate", &Estimator::estimate, nb::arg("progress"),
           nb::call_guard<nb::gil_scoped_release>(), "Estimate probabilities and back-off weights.")
      .def_prop_ro("words", [](const Estimator& e) { return e.vocabulary().size() - kSpecials; })
      .def_prop_ro("discounts",
                   [](const Estimator& estimator) {
                     std::vector<std::pair<std::vector<double>, bool>> discounts;
                     for (const Discount& d : estimator.discounts()) {
                       discounts.push_back({{d.amount.begin() + 1, d.amount.end()}, d.fallback});
                     }
                     return discounts;
                   })
      .def_prop_ro("counts", [](const Estimator& e) { return e.source().counts; })
      .def(
          "arpa",
          [](const Estimator& estimator, unsigned threads) {
            return ArpaWriter(estimator.source(), threads);
          },
          nb::arg("threads"), nb::keep_alive<0, 1>(), "The model as the text of an ARPA file.")
      .def(
          "build",
          [](const Estimator& estimator, Progress& progress) {
            nb::gil_scoped_release release;
            return Arrays{estimator.build(progress)};
          },
          nb::arg("progress"), "The model as arrays.");
}

}  // namespace

void bind_lm(nb::module_& m) {
  nb::class_<State>(m, "State", "The words of context that may still matter: a plain value.")
      .def_prop_ro("words", &words_of, "The newest first.")
      .def(
          "__eq__", [](const State& a, const State& b) { return a == b; }, nb::is_operator(),
          nb::sig("def __eq__(self, other: object) -> bool"))
      .def("__hash__", [](const State& state) { return state.hash() >> 1; });
  nb::class_<SpanState>(m, "SpanState", "What may still matter of a span, on both its sides.")
      .def_ro("right", &SpanState::right, "The state behind its last word.")
      .def(
          "__eq__", [](const SpanState& a, const SpanState& b) { return a == b; },
          nb::is_operator(), nb::sig("def __eq__(self, other: object) -> bool"));

  bind_estimation(m);

  nb::class_<Words>(m, "Words", "The arrays of a vocabulary.")
      .def(nb::init<Array<std::uint8_t>, Array<std::uint64_t>, Array<std::uint64_t>>(),
           nb::arg("text").noconvert(), nb::arg("ends").noconvert(), nb::arg("slots").noconvert());

  nb::class_<MappedModel>(m, "Model", "An n-gram model over arrays; natural logarithms.")
      .def(nb::init<std::size_t, Array<float>, Numbers>(), nb::arg("order"),
           nb::arg("unigrams").noconvert(), nb::arg("slots").noconvert())
      .def_prop_ro("order", [](const MappedModel& m) { return m.model().order(); })
      .def(
          "begin", [](const MappedModel& m) { return m.model().begin(); }, "The state behind <s>.")
      .def(
          "no_context", [](const MappedModel& m) { return m.model().no_context(); },
          "The state behind nothing.")
      .def("score", &score_word, nb::arg("state"), nb::arg("word"),
           "The log probability of a word id, and the state behind it.")
      .def("score_span", &score_span, nb::arg("parts"), nb::arg("spans"), nb::arg("begin"),
           "The score and state of a span of words, and of spans where a part is negative.")
      .def("score_text", &score, nb::arg("ids").noconvert(), nb::arg("ends").noconvert(),
           "Of each word and </s>: its log probability, and the order of the n-gram found.")
      .def(
          "arpa",
          [](const MappedModel& mapped, const Words& vocabulary, std::vector<std::uint64_t> counts,
             unsigned threads) {
            return ArpaWriter(
                table_source(mapped.model().table(), vocabulary.view, std::move(counts)), threads);
          },
          nb::arg("words"), nb::arg("counts"), nb::arg("threads"), nb::keep_alive<0, 1>(),
          nb::keep_alive<0, 2>(), "The model as the text of an ARPA file.");
}

}  // namespace miriam::bind
