#include "lm/span.hh"

#include <numeric>

namespace miriam::lm {

// Remembers an n-gram that begins the span, unless more context cannot change it.
void SpanScorer::keep(const Match& match) {
  LeftState& left = out_.left;
  if (left.full) return;
  if (!match.extends_left) {
    left.full = true;
    return;
  }
  left.nodes[left.length] = match.node;
  left.hashes[left.length++] = match.hash;
}

void SpanScorer::word(WordId word) {
  const State before = out_.right;
  const Match match = model_.match(before, word, out_.right);
  score_ += to_natural(match.log10);
  keep(match);
  // An n-gram that is no context lets none through that is longer.
  if (out_.right.length != before.length + 1) out_.left.full = true;
}

// Puts what is known of the context in front of n-gram i of a span's left state. Returns what this
// changes in the log10 of its last word, and makes `context` that of the word after it.
float SpanScorer::extend(std::size_t i, const LeftState& left, Context& context) {
  const TableView& table = model_.table();
  const Weights* weights = &table.weights(left.nodes[i]);
  const float before = weights->log10();
  Match match{left.nodes[i], left.hashes[i], before, 0, true};
  Context next{{}, 0};
  std::size_t found = 0;
  for (; found < context.length && match.extends_left; ++found) {
    const WordId word = out_.right.words[found];
    const std::uint64_t hash = extended_hash(match.hash, word);
    const Node node = table.find(hash, match.node, word);
    if (node == kNoNode) {
      match.extends_left = false;
      break;
    }
    weights = &table.weights(node);
    match = {node, hash, weights->log10(), 0, weights->extends_left()};
    next.backoffs[found] = weights->backoff();
    if (weights->extends_right()) next.length = found + 1;
  }
  const float backoff =
      std::accumulate(context.backoffs.begin() + static_cast<std::ptrdiff_t>(found),
                      context.backoffs.begin() + static_cast<std::ptrdiff_t>(context.length), 0.0f);
  keep(match);
  if (next.length != out_.right.length) out_.left.full = true;
  context = next;
  return match.log10 - before + backoff;
}

void SpanScorer::span(const SpanState& in, float score) {
  score_ += score;
  Context context{out_.right.backoffs, out_.right.length};
  float change = 0;
  for (std::size_t i = 0; i < in.left.length && context.length > 0; ++i) {
    change += extend(i, in.left, context);
  }
  if (in.left.full) {
    for (std::size_t i = 0; i < context.length; ++i) change += context.backoffs[i];
  }
  score_ += to_natural(change);
  join(in, context);
}

// Makes the right state that of the span with its part `in`; `context` is what of the old one still
// matters behind the part's words. A span that is not full has all its words in both its states.
void SpanScorer::join(const SpanState& in, const Context& context) {
  State& right = out_.right;
  if (out_.left == LeftState() && right.length == 0) {
    out_ = in;  // the first part of the span
    return;
  }
  if (in.left.full) {
    out_.left.full = true;
    right = in.right;
    return;
  }
  const State before = right;
  right = in.right;
  for (std::size_t i = 0; i < context.length; ++i) {
    right.words[right.length] = before.words[i];
    right.backoffs[right.length++] = context.backoffs[i];
  }
}

}  // namespace miriam::lm
