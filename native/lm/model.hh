// Scores words in context: one at a time for a decoder, by the sentence for everyone else.
//
// A decoder that builds sentences from left to right keeps a State with each hypothesis:
//   1. begin() or no_context();
//   2. score(state, word, next) for each word, kEnd at last.
// Two hypotheses with equal states will get equal scores for whatever follows.
//
// A decoder that builds them from spans uses SpanScorer (lm/span.hh).
//
// All logarithms in here are to base 10; score() and score_text() return natural ones.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>

#include "lm/ngram.hh"
#include "lm/table.hh"

namespace miriam::lm {

// The words that may still matter, the newest first: as many as some n-gram of the model goes on
// from. A plain value: copy it, compare it, hash it.
struct State {
  std::array<WordId, kMaxOrder - 1> words;
  std::array<float, kMaxOrder - 1> backoffs;  // of the contexts of 1, 2, ... of these words
  std::uint8_t length = 0;

  friend bool operator==(const State& a, const State& b) {
    return a.length == b.length &&
           std::equal(a.words.begin(), a.words.begin() + a.length, b.words.begin());
  }
  std::uint64_t hash() const {
    std::uint64_t hash = length;
    for (std::size_t i = 0; i < length; ++i) hash = combine(hash, words[i]);
    return hash;
  }
};

// The longest n-gram of the model that a word ends in its context, with what it costs.
struct Match {
  Node node;
  std::uint64_t hash;
  float log10;          // of the word, back-off included
  std::uint8_t length;  // words of the n-gram
  bool extends_left;    // more context might find a longer one
};

class Model {
 public:
  Model() = default;
  explicit Model(TableView table) : table_(table) {}

  std::size_t order() const { return table_.order(); }
  const TableView& table() const { return table_; }

  State no_context() const { return {}; }
  State begin() const {
    State state;
    match({}, kBegin, state);
    return state;
  }
  // The natural logarithm of the word's probability; `out` must not be `in`.
  float score(const State& in, WordId word, State& out) const {
    return to_natural(match(in, word, out).log10);
  }
  Match match(const State& in, WordId word, State& out) const;

 private:
  TableView table_;
};

inline Match Model::match(const State& in, WordId word, State& out) const {
  const Weights* weights = &table_.weights(word);
  Match match{word, unigram_hash(word), weights->log10(), 1, weights->extends_left()};
  out.words[0] = word;
  out.backoffs[0] = weights->backoff();
  out.length = weights->extends_right() && order() > 1 ? 1 : 0;
  for (std::size_t i = 0; i < in.length && match.extends_left; ++i) {
    const std::uint64_t hash = extended_hash(match.hash, in.words[i]);
    const Node node = table_.find(hash, match.node, in.words[i]);
    if (node == kNoNode) {
      match.extends_left = false;
      break;
    }
    weights = &table_.weights(node);
    ++match.length;
    match.node = node;
    match.hash = hash;
    match.log10 = weights->log10();
    match.extends_left = weights->extends_left();
    if (match.length == order()) break;
    out.words[i + 1] = in.words[i];
    out.backoffs[i + 1] = weights->backoff();
    if (weights->extends_right()) out.length = match.length;
  }
  for (std::size_t i = match.length - 1u; i < in.length; ++i) match.log10 += in.backoffs[i];
  return match;
}

// What score_text() says of each word.
struct WordScores {
  std::span<float> logs;           // natural
  std::span<std::uint8_t> orders;  // of the n-gram that was found
};

// Scores sentences, given as ids one after another with the ends of each, and their </s>: the
// outputs have one place for each word and one for each </s>. Ids that the model does not have
// count as <unk>. All look-ups of a stretch of text go on side by side, each prefetched one step
// ahead, so that waiting for memory overlaps.
void score_text(const Model& model, std::span<const WordId> ids,
                std::span<const std::uint64_t> ends, WordScores out);

}  // namespace miriam::lm
