// Vocabularies, growing and mapped from a file, and the exchange that learns word classes.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>

#include <algorithm>
#include <optional>

#include "bind/bind.hh"
#include "bind/mapped.hh"
#include "lexicon/exchange.hh"
#include "lexicon/vocabulary.hh"

namespace miriam::bind {
namespace {

using namespace lexicon;
using Bytes = Array<std::uint8_t>;
using Ends = Array<std::uint64_t>;

template <class V>
std::string_view word_of(const V& vocabulary, WordId id) {
  if (id >= vocabulary.view().size()) throw nb::index_error("no word has this id");
  return vocabulary.view().word(id);
}

template <class V>
std::optional<WordId> find_in(const V& vocabulary, std::string_view word) {
  const WordId id = vocabulary.view().find(word);
  return id == kNoWord ? std::nullopt : std::optional(id);
}

std::pair<Numpy<WordId>, Numpy<std::uint64_t>> to_python(Sentences&& sentences) {
  return {to_numpy(std::move(sentences.ids)), to_numpy(std::move(sentences.ends))};
}

template <class T>
std::vector<T> copy_of(const auto& values) {
  const auto* begin = reinterpret_cast<const T*>(values.data());
  return {begin, begin + values.size()};
}

Exchange make_exchange(const Array<WordId>& ids, const Ends& ends, const Array<WordId>& words,
                       const Array<ClassId>& first, unsigned threads) {
  const std::size_t count = first.size();
  std::vector<bool> has_words;
  for (const ClassId c : view(first)) {
    if (c >= has_words.size()) has_words.resize(std::size_t{c} + 1);
    has_words[c] = true;
  }
  const auto is_word = [&](WordId id) { return id < count; };
  const auto is_token = [&](WordId id) { return id < words.size(); };
  if (!std::ranges::all_of(view(words), is_word) || !std::ranges::all_of(view(ids), is_token) ||
      !std::ranges::is_sorted(view(ends)) ||
      (ends.size() == 0 ? 0 : ends.data()[ends.size() - 1]) != ids.size() ||
      std::ranges::find(has_words, false) != has_words.end()) {
    throw ConfigError("a text, words and classes that do not fit together");
  }
  nb::gil_scoped_release release;
  return Exchange(count_predecessors(view(ids), view(ends), view(words), count, threads),
                  words.size() + 1, view(first), has_words.size());
}

void bind_exchange(nb::module_& m) {
  using namespace nb::literals;
  nb::class_<Exchange>(m, "Exchange", "Word classes that improve as words move between them.")
      .def(nb::new_(&make_exchange), "ids"_a.noconvert(), "ends"_a.noconvert(),
           "words"_a.noconvert(), "first"_a.noconvert(), "threads"_a,
           "From a text, the word as which each of its ids is predicted, and each word's class.")
      .def("objective", &Exchange::objective, "The one-sided objective, from the counts.")
      .def(
          "improve",
          [](Exchange& self, const Array<WordId>& order, std::size_t batch, unsigned threads,
             Progress& progress) {
            const auto is_word = [&](WordId w) { return w < self.classes().size(); };
            if (batch == 0 || !std::ranges::all_of(view(order), is_word)) {
              throw ConfigError("an order of words that are not there, or a batch of none");
            }
            nb::gil_scoped_release release;
            return self.improve(view(order), batch, threads, progress);
          },
          "order"_a.noconvert(), "batch"_a, "threads"_a, "progress"_a,
          "Go through the words in this order; how many changed their class.")
      .def(
          "classes", [](const Exchange& self) { return to_numpy(std::vector(self.classes())); },
          "The class of each word.");
}

}  // namespace

void bind_lexicon(nb::module_& m) {
  nb::class_<Vocabulary>(m, "Vocabulary", "Words numbered in the order in which they came.")
      .def(nb::init<>())
      .def("__len__", &Vocabulary::size)
      .def("add", &Vocabulary::add, nb::arg("word"), "The word's id, a new one if it is new.")
      .def("find", &find_in<Vocabulary>, nb::arg("word"), "The word's id, or None.")
      .def("word", &word_of<Vocabulary>, nb::arg("id"), "The word with this id.")
      .def(
          "encode",
          [](Vocabulary& v, nb::bytes text) {
            return to_python(encode({text.c_str(), text.size()}, v));
          },
          nb::arg("text"), "The ids of lines of tokens, and where each line ends; words are added.")
      .def(
          "arrays",
          [](const Vocabulary& v) {
            return std::tuple(to_numpy(copy_of<std::uint8_t>(v.text())),
                              to_numpy(std::vector(v.ends())),
                              to_numpy(copy_of<std::uint64_t>(v.slots())));
          },
          "The arrays that a MappedVocabulary is made of: text, ends, slots.");

  nb::class_<MappedVocabulary>(m, "MappedVocabulary", "A vocabulary over arrays, fixed.")
      .def(nb::init<Bytes, Ends, Array<std::uint64_t>>(), nb::arg("text").noconvert(),
           nb::arg("ends").noconvert(), nb::arg("slots").noconvert())
      .def("__len__", [](const MappedVocabulary& v) { return v.view().size(); })
      .def("find", &find_in<MappedVocabulary>, nb::arg("word"), "The word's id, or None.")
      .def("word", &word_of<MappedVocabulary>, nb::arg("id"), "The word with this id.")
      .def(
          "encode",
          [](const MappedVocabulary& v, nb::bytes text) {
            const std::string_view lines{text.c_str(), text.size()};
            nb::gil_scoped_release release;
            Sentences sentences = encode(lines, v.view());
            nb::gil_scoped_acquire acquire;
            return to_python(std::move(sentences));
          },
          nb::arg("text"),
          "The ids of lines of tokens (2**32 - 1: not there), and where each line ends.");
  bind_exchange(m);
}

}  // namespace miriam::bind
