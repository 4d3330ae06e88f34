// A language model as the search sees it: numbers for states, and remembered extensions.
//
// 1. prepare() a phrase once: its score without left context, the words whose n-gram more context
//    may change (the prefix: at most order - 1, fewer where the model backs off), and the state it
//    leaves.
// 2. extend() a state by a prefix as often as hypotheses meet: what the left context changes.
// 3. finish() a state: the end of the sentence.
// A decoder that builds sentences from spans puts a phrase, or a span, behind another with join().
// Phrases stay prepared over sentences, for as long as a thread likes. Extensions are forgotten
// after each: most of them are met again within the sentence or never, and a table that fits into
// the processor's cache answers faster than a large one that knows more.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "base/intern.hh"
#include "search/model.hh"

namespace miriam::search {

class LmCache {
 public:
  // A phrase, or a longer span: equal ones behave alike whatever is put around them.
  struct Phrase {
    std::uint32_t prefix;  // twice the number of its words, plus 1 if they are the whole phrase
    std::uint32_t right;   // the state after the phrase without left context
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
  // A phrase without words.
  Phrase empty() const { return {kEmpty, no_context_}; }
  const Extension& extend(std::uint32_t state, std::uint32_t prefix) {
    return extensions_.get(state, prefix, [&] { return compute(state, prefix); });
  }
  // Puts a phrase behind a span; returns what this adds to the sum of their scores.
  double join(Phrase& span, const Phrase& next) {
    if (next.prefix == kEmpty) return 0;
    if (span.prefix == kEmpty) {
      span = next;
      return 0;
    }
    const Extension& extension = extend(span.right, next.prefix);
    if (is_whole(span.prefix))
      span.prefix =
          joints_.get(span.prefix, next.prefix, [&] { return join_prefixes(span, next.prefix); });
    span.right = extension.right == kNone ? next.right : extension.right;
    return extension.gain;
  }
  // Fetches what extend() will read, if it must.
  void prefetch(std::uint32_t state, std::uint32_t prefix) const {
    if (!extensions_.has(state, prefix)) prefetch_ngrams(state, prefix);
  }
  // The log probability of the end of the sentence.
  double finish(std::uint32_t state) const;

  std::size_t size() const { return std::max(states_.size(), prefixes_.size()); }
  // Forgets the sentence's extensions.
  void next_sentence() {
    extensions_.clear();
    joints_.clear();
  }
  void clear();

 private:
  WordId id(WordId word) const {
    return word < ids_.size() ? ids_[word] : extra_ids_[word - ids_.size()];
  }
  static constexpr std::uint32_t kEmpty = 1;
  static bool is_whole(std::uint32_t prefix) { return prefix % 2 == 1; }
  std::span<const std::uint32_t> words_of(std::uint32_t prefix) const {
    return prefixes_[prefix / 2];
  }

  void prefetch_ngrams(std::uint32_t state, std::uint32_t prefix) const;
  Extension compute(std::uint32_t state, std::uint32_t prefix);
  lm::State read(lm::State state, std::span<const std::uint32_t> words);
  std::uint32_t number_prefix(bool whole);
  std::uint32_t join_prefixes(const Phrase& span, std::uint32_t next);

  const lm::Model* model_;
  std::span<const WordId> ids_;
  std::span<const WordId> extra_ids_;
  ValueTable<lm::State> states_;
  std::uint32_t no_context_ = 0;  // the state before a phrase without left context
  SequenceTable prefixes_;        // words of the model
  std::vector<float> scores_;     // of the words of all prefixes, without left context
  std::vector<std::uint32_t> score_begins_;
  std::vector<std::uint32_t> phrase_;  // a buffer: the words of a phrase
  std::vector<std::uint32_t> words_;   // a buffer: a prefix
  std::vector<float> word_scores_;     // a buffer: the scores of its words
  PairMemo<Extension> extensions_;
  PairMemo<std::uint32_t> joints_;  // prefixes of spans whose first part is a whole prefix
};

}  // namespace miriam::search
