// A finished derivation and the values of its features, computed from nothing but its phrases.
//
// This is the definition of the non-local features; the search computes the same incrementally. The
// rules of a hierarchical derivation come as Candidates has them: each before those in its gaps.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "search/sentence.hh"
#include "search/task.hh"

namespace miriam::search {

struct Phrase {
  RuleId rule;
  std::uint16_t begin, end;
};

// Appends the target words of a derivation to `words`. Returns how many pieces were glued together:
// the phrases, or the rules that are in no gap.
std::size_t add_words(const Model& model, const Sentence& sentence, std::span<const Phrase> phrases,
                      std::vector<WordId>& words);

// A feature beyond the dense ones that fires: its id, or the key that will be given one.
struct Firing {
  std::uint32_t family = kNone;  // kNone: `a` is the feature's id
  std::uint32_t a = 0, b = kNone;
  double value = 1;
};

// Adds to `dense` (Model::dense values) what the phrases score there, and to `firings` the sparse
// features that depend on more than one rule. A rule's own sparse features are RuleFeatures'; a
// user's non-local features are not here.
void add_features(const Task& task, const Sentence& sentence, std::span<const Phrase> phrases,
                  std::span<double> dense, std::vector<Firing>& firings);

}  // namespace miriam::search
