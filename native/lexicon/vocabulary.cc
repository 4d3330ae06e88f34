#include "lexicon/vocabulary.hh"

#include "base/error.hh"
#include "base/hash.hh"

namespace miriam::lexicon {
namespace {

// The slot that holds the word, or the free one where it would go; at least one slot is free.
template <class Word>
std::size_t probe(std::span<const Slot> slots, std::uint64_t hash, const Word& is_word) {
  const std::size_t mask = slots.size() - 1;
  const auto half = static_cast<std::uint32_t>(hash >> 32);
  std::size_t i = hash & mask;
  while (slots[i].id != kNoWord && !(slots[i].hash == half && is_word(slots[i].id))) {
    i = (i + 1) & mask;
  }
  return i;
}

template <class Id>
Sentences encode_with(std::string_view text, const Id& id) {
  Sentences out;
  out.ids.reserve(text.size() / 5);
  for_each_token(
      text, [&](std::string_view word) { out.ids.push_back(id(word)); },
      [&] { out.ends.push_back(out.ids.size()); });
  if (!text.empty() && text.back() != '\n') out.ends.push_back(out.ids.size());
  return out;
}

}  // namespace

VocabularyView::VocabularyView(std::string_view text, std::span<const std::uint64_t> ends,
                               std::span<const Slot> slots)
    : text_(text), ends_(ends), slots_(slots) {
  const bool power_of_two = !slots.empty() && (slots.size() & (slots.size() - 1)) == 0;
  if (!power_of_two || slots.size() <= ends.size() ||
      (ends.empty() ? 0 : ends.back()) != text.size()) {
    throw ModelError("a vocabulary whose arrays do not fit together");
  }
}

WordId VocabularyView::find(std::string_view word) const {
  const auto is_word = [&](WordId id) { return this->word(id) == word; };
  return slots_[probe(slots_, hash_bytes(word), is_word)].id;
}

WordId Vocabulary::add(std::string_view word) {
  const VocabularyView words = view();
  const std::uint64_t hash = hash_bytes(word);
  const std::size_t i = probe(slots_, hash, [&](WordId id) { return words.word(id) == word; });
  if (slots_[i].id != kNoWord) return slots_[i].id;
  const auto id = static_cast<WordId>(ends_.size());
  if (id == kNoWord) throw InputError("more than four billion different words");
  slots_[i] = {static_cast<std::uint32_t>(hash >> 32), id};
  text_ += word;
  ends_.push_back(text_.size());
  if (2 * ends_.size() > slots_.size()) grow();
  return id;
}

void Vocabulary::grow() {
  slots_.assign(2 * slots_.size(), Slot{});
  const VocabularyView words = view();
  for (WordId id = 0; id < ends_.size(); ++id) {
    const std::uint64_t hash = hash_bytes(words.word(id));
    slots_[probe(slots_, hash, [](WordId) { return false; })] = {
        static_cast<std::uint32_t>(hash >> 32), id};
  }
}

Sentences encode(std::string_view text, Vocabulary& vocabulary) {
  return encode_with(text, [&](std::string_view word) { return vocabulary.add(word); });
}

Sentences encode(std::string_view text, const VocabularyView& vocabulary) {
  return encode_with(text, [&](std::string_view word) { return vocabulary.find(word); });
}

}  // namespace miriam::lexicon
