// Tables over arrays that Python keeps alive, which may be mapped from a file: what rooms to the
// right take from rooms to the left.
#pragma once

#include "bind/bind.hh"
#include "lexicon/vocabulary.hh"
#include "lm/model.hh"
#include "rules/table.hh"

namespace miriam::bind {

template <class T, class U>
std::span<const T> as(const Array<U>& array) {
  return {reinterpret_cast<const T*>(array.data()), array.size() * sizeof(U) / sizeof(T)};
}

// A view of arrays that Python keeps alive. The slots are bytes in a file; mapped arrays are
// aligned.
class MappedVocabulary {
 public:
  MappedVocabulary(Array<std::uint8_t> text, Array<std::uint64_t> ends, Array<std::uint64_t> slots)
      : text_(std::move(text)),
        ends_(std::move(ends)),
        slots_(std::move(slots)),
        view_({reinterpret_cast<const char*>(text_.data()), text_.size()}, bind::view(ends_),
              {reinterpret_cast<const lexicon::Slot*>(slots_.data()), slots_.size()}) {}
  const lexicon::VocabularyView& view() const { return view_; }

 private:
  Array<std::uint8_t> text_;
  Array<std::uint64_t> ends_;
  Array<std::uint64_t> slots_;
  lexicon::VocabularyView view_;
};

static_assert(sizeof(lexicon::Slot) == sizeof(std::uint64_t));

class Table {
 public:
  Table(Array<std::uint32_t> buckets, Array<std::uint64_t> heads, Array<std::uint32_t> source_words,
        Array<std::uint64_t> target_ends, Array<std::uint32_t> target_words,
        Array<std::uint64_t> link_ends, Array<std::uint8_t> link_points,
        Array<std::uint32_t> targets, Array<std::uint32_t> links, Array<float> scores)
      : view_({.buckets = as<rules::Bucket>(buckets),
               .heads = as<rules::Head>(heads),
               .source_words = view(source_words),
               .target_ends = view(target_ends),
               .target_words = view(target_words),
               .link_ends = view(link_ends),
               .link_points = view(link_points),
               .targets = view(targets),
               .links = view(links),
               .scores = view(scores)}),
        kept_(nb::make_tuple(buckets, heads, source_words, target_ends, target_words, link_ends,
                             link_points, targets, links, scores)) {}
  const rules::TableView& get() const { return view_; }

 private:
  rules::TableView view_;
  nb::tuple kept_;
};

// In a file a unigram is two numbers and a line of the table sixteen.
class MappedModel {
 public:
  MappedModel(std::size_t order, Array<float> unigrams, Array<std::uint32_t> slots)
      : unigrams_(std::move(unigrams)),
        slots_(aligned(std::move(slots))),
        model_(lm::TableView(order, as<lm::Weights>(unigrams_), as<lm::Line>(slots_))) {}
  const lm::Model& model() const { return model_; }
  lexicon::WordId known(lexicon::WordId word) const {
    return word < model_.table().words() ? word : lm::kUnknown;
  }

 private:
  static Array<std::uint32_t> aligned(Array<std::uint32_t> slots) {
    if (reinterpret_cast<std::uintptr_t>(slots.data()) % alignof(lm::Line) != 0) {
      throw ModelError("a table of n-grams that does not begin on a 64-byte boundary");
    }
    return slots;
  }

  Array<float> unigrams_;
  Array<std::uint32_t> slots_;
  lm::Model model_;
};

static_assert(sizeof(lm::Weights) == 2 * sizeof(float));

}  // namespace miriam::bind
