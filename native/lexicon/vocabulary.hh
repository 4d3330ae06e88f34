// Words and their ids: a growing vocabulary, and a view of one that may lie in a mapped file.
//
// The arrays are the same in memory and in a file: the words one after another, where each ends,
// and a hash table of (half a hash, id) with at least two slots a word.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace miriam::lexicon {

using WordId = std::uint32_t;
inline constexpr WordId kNoWord = std::numeric_limits<WordId>::max();

struct Slot {
  std::uint32_t hash = 0;
  WordId id = kNoWord;  // kNoWord: the slot is free
};

class VocabularyView {
 public:
  // `ends[i]` is where word i ends in `text`. The number of slots is a power of two.
  VocabularyView(std::string_view text, std::span<const std::uint64_t> ends,
                 std::span<const Slot> slots);

  std::size_t size() const { return ends_.size(); }
  std::string_view word(WordId id) const {
    const std::uint64_t begin = id == 0 ? 0 : ends_[id - 1];
    return text_.substr(begin, ends_[id] - begin);
  }
  // The word's id, or kNoWord.
  WordId find(std::string_view word) const;

 private:
  std::string_view text_;
  std::span<const std::uint64_t> ends_;
  std::span<const Slot> slots_;
};

class Vocabulary {
 public:
  Vocabulary() : slots_(64) {}

  std::size_t size() const { return ends_.size(); }
  VocabularyView view() const { return {text_, ends_, slots_}; }
  // The word's id, a new one (the next number) if the word is new.
  WordId add(std::string_view word);

  const std::string& text() const { return text_; }
  const std::vector<std::uint64_t>& ends() const { return ends_; }
  const std::vector<Slot>& slots() const { return slots_; }

 private:
  void grow();

  std::string text_;
  std::vector<std::uint64_t> ends_;
  std::vector<Slot> slots_;
};

// Sentences of word ids, one after another.
struct Sentences {
  std::vector<WordId> ids;
  std::vector<std::uint64_t> ends;  // where each sentence ends in `ids`
};

// Calls word(w) for each token of `text` and end() at each line feed; blanks and tabs part tokens.
template <class Word, class End>
void for_each_token(std::string_view text, const Word& word, const End& end) {
  std::size_t start = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c != ' ' && c != '\t' && c != '\n') continue;
    if (i > start) word(text.substr(start, i - start));
    if (c == '\n') end();
    start = i + 1;
  }
  if (start < text.size()) word(text.substr(start));
}

// The lines of a text as ids; words that are not there are added, or become kNoWord.
Sentences encode(std::string_view text, Vocabulary& vocabulary);
Sentences encode(std::string_view text, const VocabularyView& vocabulary);

}  // namespace miriam::lexicon
