// How many n-grams a candidate shares with references that are prepared once.
//
// The n-grams of the references are the nodes of a trie, kept in one hash table from (node, next
// id) to node; node 0 is the empty n-gram. A candidate is walked from each of its positions, and a
// walk ends at the first n-gram that no reference has, because no longer one can match either.
// Keys are ids, not hashes of n-grams, so that a count is never wrong by a collision.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "metrics/flat_map.hh"
#include "metrics/sequences.hh"

namespace miriam::metrics {

class NgramCounts {
 public:
  // What a candidate is compared with: each reference by itself, or one column in which an n-gram
  // counts as often as in the reference that has it most (BLEU).
  enum class Columns { each_reference, most };

  NgramCounts(const Sequences& references, unsigned order, Columns columns);

  unsigned order() const { return order_; }
  std::size_t columns() const { return columns_; }

  // What a call of `match` works with; one per thread.
  struct Scratch {
    std::vector<std::uint32_t> seen;     // by node: how often the candidate has it so far
    std::vector<std::uint64_t> matches;  // the result: [order][column], clipped to the column
  };
  void match(Sequence candidate, Scratch& scratch) const;

 private:
  std::uint32_t child(std::uint32_t node, Id id) const {
    return children_.find(std::uint64_t{node} << 32 | id);
  }
  std::uint32_t add_child(std::uint32_t node, Id id);

  unsigned order_;
  std::size_t columns_;
  FlatMap children_;
  std::vector<std::uint32_t> counts_;  // [node][column]
};

// How many n-grams of length n a sequence of this length has.
constexpr std::size_t ngrams(std::size_t length, std::size_t n) {
  return length >= n ? length - n + 1 : 0;
}

}  // namespace miriam::metrics
