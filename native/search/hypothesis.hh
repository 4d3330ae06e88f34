// The nodes and edges of the graph that phrase-based search makes.
//
// A hypothesis is a node: the best way known to its group (what is covered, and where the last
// phrase ended) and state (what non-local features still need).
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "search/coverage.hh"
#include "search/graph.hh"

namespace miriam::search {

struct Hypothesis {
  double score = 0;  // the model's, of the best derivation that ends with this phrase here
  std::uint32_t back = kNone;  // the hypothesis before
  std::uint32_t option = kNone;
  std::uint32_t group = 0;
  std::uint32_t alternative = kNone;  // another way to the same node, in PhraseGraph::alternatives
  std::uint16_t begin = 0, end = 0;   // the source span of the last phrase

  std::uint32_t place() const { return group; }
  std::array<std::uint32_t, 1> tails() const { return {back}; }
};

// The hypotheses that cover the same words and ended their last phrase at the same place.
struct Group {
  Coverage coverage;
  std::uint32_t last_end = 0;
  std::uint32_t first = 0, count = 0;  // in PhraseGraph::order, best first
  double future = 0;
};

struct PhraseGraph : Graph<Hypothesis> {
  std::vector<Group> groups;
};

}  // namespace miriam::search
