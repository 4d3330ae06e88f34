// The best derivations of a search graph, one after another: Huang and Chiang (2005), algorithm 3,
// for a graph whose edges have one tail.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <unordered_map>
#include <vector>

#include "search/hypothesis.hh"
#include "search/search.hh"

namespace miriam::search {

class KBest {
 public:
  // The target words of an option.
  using Words = std::function<std::span<const WordId>(std::uint32_t option)>;

  // With `words`, of derivations that end in the same node with the same words (by their hash of 64
  // bits) only the best is found: whatever follows scores alike, so no other can win.
  KBest(const Graph& graph, std::vector<Search::Goal> goals, Words words = {});

  // The next best derivation, as its last hypotheses first; false when there are no more.
  bool next(std::vector<const Hypothesis*>& phrases, double& score);

 private:
  // The derivation that ends with an edge, whose tail is reached in its rank-th best way.
  struct Way {
    double score;
    const Hypothesis* edge;
    std::uint32_t rank;
    std::uint32_t number;    // of the edge among the node's: for a fixed order of equals
    std::uint64_t hash = 0;  // of the words so far, where only different ones are wanted
    friend bool operator<(const Way& a, const Way& b) {
      if (a.score != b.score) return a.score < b.score;
      return a.number != b.number ? a.number > b.number : a.rank > b.rank;
    }
  };
  struct Node {
    std::vector<Way> best;     // found so far, in order
    std::vector<Way> waiting;  // a heap
    Way last{};                // the last one taken from it, whose successor is still to be queued
  };

  Node& node(std::uint32_t hypothesis);
  const Way* way(std::uint32_t hypothesis, std::uint32_t rank);
  bool advance(Node& node);
  void queue_successor(Node& node);
  bool repeats(Node& node);

  const Graph& graph_;
  std::vector<Search::Goal> goals_;
  Words words_;
  std::unordered_map<std::uint32_t, Node> nodes_;
  std::vector<Way> ends_;  // a heap over the goals: `number` is the goal's
};

}  // namespace miriam::search
