// A search graph: nodes and edges as plain records in arrays that are used again.
//
// A node is the best way known to its place and state; it is the record of its best edge. A worse
// way to the same node is kept as an alternative, a record of the same kind, so that n-best lists
// are exact. An edge has a score (of the best derivation that ends with it), an option (kNone:
// nothing that a derivation shows), tails() (nodes, kNone: none), place() and the alternative.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/intern.hh"

namespace miriam::search {

// The last node of a derivation, and the score with what the end of the sentence adds.
struct Goal {
  std::uint32_t node;
  double score;
};

template <class Edge>
struct Graph {
  std::vector<Edge> nodes;
  std::vector<Edge> alternatives;
  std::vector<std::uint32_t> states;  // state_size numbers a node
  std::vector<std::uint32_t> order;   // nodes by where they are, best first
  std::size_t state_size = 0;
  std::size_t compared = 0;  // so many of the first numbers tell one state from another

  const std::uint32_t* state(std::uint32_t node) const { return states.data() + node * state_size; }
  void clear(std::size_t size, std::size_t compare) {
    nodes.clear();
    alternatives.clear();
    states.clear();
    order.clear();
    state_size = size;
    compared = compare;
  }
  // Puts an edge into the graph; `known` has the nodes that may be its own. Worse ways are kept if
  // `all`.
  void enter(const Edge& made, const std::uint32_t* its_state, HashIndex& known, bool recombine,
             bool all);
};

template <class Edge>
void Graph<Edge>::enter(const Edge& made, const std::uint32_t* its_state, HashIndex& known,
                        bool recombine, bool all) {
  std::uint64_t hash = made.place();
  for (std::size_t i = 0; i < compared; ++i) hash = combine(hash, its_state[i]);
  const auto fresh = static_cast<std::uint32_t>(nodes.size());
  const std::uint32_t node = known.find_or_add(hash, fresh, [&](std::uint32_t other) {
    return recombine && nodes[other].place() == made.place() &&
           std::equal(its_state, its_state + compared, state(other));
  });
  if (node == fresh) {
    nodes.push_back(made);
    states.insert(states.end(), its_state, its_state + state_size);
    return;
  }
  Edge worse = made;
  Edge& kept = nodes[node];
  if (worse.score > kept.score) {
    std::swap(worse, kept);
    std::copy(its_state + compared, its_state + state_size, &states[node * state_size + compared]);
  }
  if (!all) return;
  // Whichever of the two is the node now, the list of alternatives is the node's.
  const std::uint32_t list = worse.alternative != kNone ? worse.alternative : kept.alternative;
  worse.alternative = list;
  kept.alternative = static_cast<std::uint32_t>(alternatives.size());
  alternatives.push_back(worse);
}

}  // namespace miriam::search
