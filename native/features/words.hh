// Words by number: those of a fixed vocabulary, and behind them those that have come up since.
#pragma once

#include <string_view>

#include "base/error.hh"
#include "lexicon/vocabulary.hh"

namespace miriam::features {

using lexicon::WordId;

class Words {
 public:
  explicit Words(const lexicon::VocabularyView& known) : known_(known) {}

  std::size_t size() const { return known_.size() + others_.size(); }
  std::string_view word(WordId id) const {
    if (id >= size()) throw InputError("no word has the number " + std::to_string(id));
    const auto known = static_cast<WordId>(known_.size());
    return id < known ? known_.word(id) : others_.view().word(id - known);
  }
  // The word's number, the next one if it is new.
  WordId add(std::string_view word) {
    const WordId id = known_.find(word);
    return id != lexicon::kNoWord ? id : static_cast<WordId>(known_.size()) + others_.add(word);
  }

 private:
  lexicon::VocabularyView known_;
  lexicon::Vocabulary others_;
};

}  // namespace miriam::features
