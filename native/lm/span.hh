// Scores spans whose left context is not known yet, for decoders that build sentences from parts.
//
//   1. Make a SpanScorer over the SpanState to be filled.
//   2. From left to right: word(w) for each word of the rule, span(state, score) for each part that
//      was scored before; begin_sentence() first where the span begins one.
//   3. score() is the natural logarithm of the span, as far as its words can be scored yet.
// Whatever order a sentence is put together in, its scores add up to what Model::score() says.
// Two spans with equal states will get equal scores for whatever is put around them.
#pragma once

#include "lm/model.hh"

namespace miriam::lm {

// The n-grams, of 1, 2, ... words, that begin the span and may still extend to the left.
struct LeftState {
  std::array<Node, kMaxOrder - 1> nodes;
  std::array<std::uint64_t, kMaxOrder - 1> hashes;
  std::uint8_t length = 0;
  bool full = false;  // the words after these need no more context

  friend bool operator==(const LeftState& a, const LeftState& b) {
    return a.length == b.length && a.full == b.full &&
           std::equal(a.nodes.begin(), a.nodes.begin() + a.length, b.nodes.begin());
  }
};

struct SpanState {
  LeftState left;
  State right;
  friend bool operator==(const SpanState&, const SpanState&) = default;
};

class SpanScorer {
 public:
  SpanScorer(const Model& model, SpanState& out) : model_(model), out_(out) { out_ = SpanState(); }

  void begin_sentence() {
    out_.right = model_.begin();
    out_.left.full = true;
  }
  void word(WordId word);
  void span(const SpanState& in, float score);
  float score() const { return score_; }

 private:
  // Context words in front of a span, the newest first, and the back-off of each length.
  struct Context {
    std::array<float, kMaxOrder - 1> backoffs;
    std::size_t length;
  };

  float extend(std::size_t i, const LeftState& left, Context& context);
  void keep(const Match& match);
  void join(const SpanState& in, const Context& context);

  const Model& model_;
  SpanState& out_;
  float score_ = 0;
};

}  // namespace miriam::lm
