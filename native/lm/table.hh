// The n-grams of a model in two arrays that may lie in a mapped file: unigrams by word id, and a
// hash table of all longer ones. The table is made of lines of four slots, each line one cache
// line; an n-gram is in its home line or, where that is full, in the next that is not.
//
// An n-gram w_1..w_n is found newest word first: from the unigram w_n to w_n-1 w_n and so on. Its
// place in the table comes from a hash of its words alone, so that the places of all orders are
// known, and can be prefetched, before the first is read. Its key is w_1 and the node of its suffix
// w_2..w_n, which makes a look-up exact: no two n-grams have the same key, and the words of an
// n-gram can be read back from its node.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <unordered_set>
#include <vector>

#include "base/error.hh"
#include "base/hash.hh"
#include "lm/ngram.hh"

namespace miriam::lm {

// An n-gram: a word id, or the number of words + a slot of the table.
using Node = std::uint32_t;
inline constexpr Node kNoNode = std::numeric_limits<Node>::max();

// The two numbers of an n-gram. Their signs, which logarithms leave free, hold two facts:
// the probability is stored as a cost >= 0 (-0 too) whose sign says that no longer n-gram ends
// with this one; a back-off of -0 that no longer n-gram begins with it.
class Weights {
 public:
  Weights() = default;
  Weights(float log10, float backoff)
      : cost_(-std::fabs(log10)), backoff_(backoff == 0 || std::isnan(backoff) ? -0.0f : backoff) {}

  float log10() const { return -std::fabs(cost_); }
  float backoff() const { return backoff_; }
  bool extends_left() const { return !std::signbit(cost_); }
  bool extends_right() const { return backoff_ != 0 || !std::signbit(backoff_); }
  void mark_left() { cost_ = std::fabs(cost_); }
  void mark_right() { backoff_ += 0.0f; }

 private:
  float cost_ = 0;
  float backoff_ = 0;
};

struct Slot {
  Node suffix = kNoNode;  // kNoNode: the slot is free
  WordId word = 0;
  Weights weights;
};

// Slots are taken from the front, so that a free last one means that no other line need be read.
struct alignas(64) Line {
  std::array<Slot, 4> slots;
};
static_assert(sizeof(Line) == 64);

constexpr std::uint64_t unigram_hash(WordId word) { return mix(word + 1); }
constexpr std::uint64_t extended_hash(std::uint64_t hash, WordId word) {
  return combine(hash, word);
}

class TableView {
 public:
  TableView() = default;
  TableView(std::size_t order, std::span<const Weights> unigrams, std::span<const Line> lines);

  std::size_t order() const { return order_; }
  std::size_t words() const { return unigrams_.size(); }
  std::size_t slots() const { return 4 * lines_.size(); }

  const Weights& weights(Node node) const {
    return node < unigrams_.size() ? unigrams_[node] : slot(node - unigrams_.size()).weights;
  }
  // Whether there is an n-gram at this node.
  bool taken(Node node) const {
    return node < unigrams_.size() || slot(node - unigrams_.size()).suffix != kNoNode;
  }
  void prefetch(std::uint64_t hash) const { __builtin_prefetch(&lines_[home(hash)]); }
  void prefetch_unigram(WordId word) const { __builtin_prefetch(&unigrams_[word]); }

  // The n-gram that puts `word` in front of `suffix`, or kNoNode; `hash` is of all its words.
  Node find(std::uint64_t hash, Node suffix, WordId word) const {
    for (std::size_t line = home(hash);; line = after(line)) {
      const auto& slots = lines_[line].slots;
      for (std::size_t i = 0; i < slots.size(); ++i) {
        if (slots[i].suffix == suffix && slots[i].word == word) {
          return static_cast<Node>(unigrams_.size() + 4 * line + i);
        }
      }
      if (slots.back().suffix == kNoNode) return kNoNode;
    }
  }
  // The words of an n-gram, oldest first; returns how many.
  std::size_t words_of(Node node, WordId* words) const;

 protected:
  const Slot& slot(std::size_t i) const { return lines_[i / 4].slots[i % 4]; }
  std::size_t home(std::uint64_t hash) const { return ((hash >> 32) * lines_.size()) >> 32; }
  std::size_t after(std::size_t line) const { return line + 1 == lines_.size() ? 0 : line + 1; }

  std::size_t order_ = 0;
  std::span<const Weights> unigrams_;
  std::span<const Line> lines_;
};

// What add() says of an n-gram that the table cannot take.
enum class Added { kYes, kTwice, kNoContext };

// A table in the making. N-grams come with increasing order; one whose suffix is missing (some
// toolkits prune so) gets it, with the probability that backing off gives.
class TableBuilder : private TableView {
 public:
  // `counts` are the numbers of n-grams by order.
  explicit TableBuilder(const std::vector<std::uint64_t>& counts);
  TableBuilder(TableBuilder&&) = default;  // a moved array stays where it is, and so do its views
  TableBuilder& operator=(TableBuilder&&) = default;

  Added add_unigram(WordId word, Weights weights);
  Added add(std::span<const WordId> words, Weights weights);
  // Fetches what add() of these words will read, so that several wait for memory together.
  void prefetch(std::span<const WordId> words) const;
  bool has_unigram(WordId word) const { return word < present_.size() && present_[word]; }

  TableView view() const { return *this; }
  const std::vector<Weights>& unigrams() const { return unigram_array_; }
  const std::vector<Line>& lines() const { return line_array_; }
  // The numbers of n-grams by order.
  const std::vector<std::uint64_t>& counts() const { return counts_; }

 private:
  Weights& weights(Node node);
  Node find_words(std::span<const WordId> words) const;
  Node ensure(std::span<const WordId> words, std::uint64_t& hash);
  Node insert(std::uint64_t hash, Node suffix, WordId word, Weights weights);
  void allocate(std::size_t ngrams);
  void grow();

  std::vector<Weights> unigram_array_;
  std::vector<bool> present_;
  std::vector<Line> line_array_;
  std::unordered_set<Node> implied_;  // n-grams that were not added, but are suffixes of some
  std::vector<std::uint64_t> counts_;
  std::size_t taken_ = 0;
};

}  // namespace miriam::lm
