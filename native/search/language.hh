// A language model as the search sees it: numbers for states, and remembered extensions.
//
// 1. prepare() a phrase once: its score without left context, the words whose score depends on what
//    stands before the phrase (the prefix: at most order - 1, fewer where the model backs off), and
//    the state it leaves.
// 2. extend() a state by a prefix as often as hypotheses meet: what the left context changes.
// 3. finish() a state: the end of the sentence.
// Phrases stay prepared over sentences, for as long as a thread likes. Extensions are forgotten
// after each: most of them are met again within the sentence or never, and a table that fits into
// the processor's cache answers faster than a large one that knows more.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/intern.hh"
#include "search/model.hh"

namespace miriam::search {

class LmCache {
  static constexpr std::uint32_t kWhole = kNone - 1;

 public:
  struct Phrase {
    std::uint32_t prefix;
    std::uint32_t right;  // the state after the phrase without left context
  };
  struct Extension {
    double gain = 0;              // the score of the phrase in its context less that without
    std::uint32_t right = kNone;  // the state after it, if the context still matters; else kNone
  };

  explicit LmCache(const LanguageModelUse& use) : model_(use.model), ids_(use.ids) { clear(); }

  // The model's ids of target words beyond its own, for the calls that follow.
  void set_extra(std::span<const WordId> ids) { extra_ids_ = ids; }

  std::uint32_t begin() const { return 0; }
  // The log probability of a phrase without left context.
  double estimate(std::span<const WordId> words) const;
  Phrase prepare(std::span<const WordId> words);
  const Extension& extend(std::uint32_t state, std::uint32_t prefix) {
    return extensions_.get(state, prefix, [&] { return compute(state, prefix); });
  }
  // Fetches what extend() will read, if it must.
  void prefetch(std::uint32_t state, std::uint32_t prefix) const {
    if (!extensions_.has(state, prefix)) prefetch_ngrams(state, prefix);
  }
  // The log probability of the end of the sentence.
  double finish(std::uint32_t state) const;

  std::size_t size() const { return states_.size(); }
  // Forgets the sentence's extensions.
  void next_sentence() { extensions_.clear(); }
  void clear();

 private:
  WordId id(WordId word) const {
    return word < ids_.size() ? ids_[word] : extra_ids_[word - ids_.size()];
  }
  void prefetch_ngrams(std::uint32_t state, std::uint32_t prefix) const;
  Extension compute(std::uint32_t state, std::uint32_t prefix);

  const lm::Model* model_;
  std::span<const WordId> ids_;
  std::span<const WordId> extra_ids_;
  ValueTable<lm::State> states_;
  SequenceTable prefixes_;     // words of the model; kWhole at the end if they are the whole phrase
  std::vector<float> scores_;  // of the words of all prefixes, without left context
  std::vector<std::uint32_t> score_begins_;
  std::vector<std::uint32_t> words_;  // a buffer
  std::vector<float> word_scores_;    // a buffer
  PairMemo<Extension> extensions_;
};

}  // namespace miriam::search
