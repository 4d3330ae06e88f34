// The nodes and edges of the search graph, as plain records in arrays that are used again.
//
// A hypothesis is a node: the best way known to its group (what is covered, and where the last
// phrase ended) and state (what non-local features still need). A worse way to the same node is
// kept as an alternative, a record of the same kind, so that n-best lists are exact.
#pragma once

#include <cstdint>
#include <vector>

#include "base/intern.hh"
#include "search/coverage.hh"

namespace miriam::search {

struct Hypothesis {
  double score = 0;  // the model's, of the best derivation that ends with this phrase here
  std::uint32_t back = kNone;  // the hypothesis before
  std::uint32_t option = kNone;
  std::uint32_t group = 0;
  std::uint32_t alternative = kNone;  // another way to the same node, in Graph::alternatives
  std::uint16_t begin = 0, end = 0;   // the source span of the last phrase
};

// The hypotheses that cover the same words and ended their last phrase at the same place.
struct Group {
  Coverage coverage;
  std::uint32_t last_end = 0;
  std::uint32_t first = 0, count = 0;  // in Graph::order, best first
  double future = 0;
};

struct Graph {
  std::vector<Hypothesis> hypotheses;
  std::vector<Hypothesis> alternatives;
  std::vector<std::uint32_t> states;  // state_size numbers a hypothesis
  std::vector<Group> groups;
  std::vector<std::uint32_t> order;  // hypotheses by group
  std::size_t state_size = 0;

  const std::uint32_t* state(std::uint32_t hypothesis) const {
    return states.data() + hypothesis * state_size;
  }
  void clear(std::size_t size) {
    hypotheses.clear();
    alternatives.clear();
    states.clear();
    groups.clear();
    order.clear();
    state_size = size;
  }
};

}  // namespace miriam::search
