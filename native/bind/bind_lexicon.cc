// Vocabularies: a growing one, and one over arrays that may be mapped from a file.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>

#include <optional>

#include "bind/bind.hh"
#include "lexicon/vocabulary.hh"

namespace miriam::bind {
namespace {

using namespace lexicon;
using Bytes = Array<std::uint8_t>;
using Ends = Array<std::uint64_t>;

// A view of arrays that Python keeps alive. The slots are bytes in a file; mapped arrays are
// aligned.
class MappedVocabulary {
 public:
  MappedVocabulary(Bytes text, Ends ends, Array<std::uint64_t> slots)
      : text_(std::move(text)),
        ends_(std::move(ends)),
        slots_(std::move(slots)),
        view_({reinterpret_cast<const char*>(text_.data()), text_.size()}, bind::view(ends_),
              {reinterpret_cast<const Slot*>(slots_.data()), slots_.size()}) {}
  const VocabularyView& view() const { return view_; }

 private:
  Bytes text_;
  Ends ends_;
  Array<std::uint64_t> slots_;
  VocabularyView view_;
};

static_assert(sizeof(Slot) == sizeof(std::uint64_t));

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
}

}  // namespace miriam::bind
