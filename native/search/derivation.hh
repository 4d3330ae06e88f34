// A finished derivation and the values of its features, computed from nothing but its phrases.
//
// This is the definition of the non-local features; the search computes the same incrementally. The
// rules of a hierarchical derivation come as Candidates has them: each before those in its gaps.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/intern.hh"
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

// A part of a derivation that has sparse features. Candidates of a sentence are made of few
// different ones, so that features are looked up once for each, not for each candidate.
struct Piece {
  enum class Kind : std::uint32_t {
    rule,         // a: the rule
    orientation,  // a: the rule, b: whether with the next phrase, c: an event of phrases, of blocks
    boundary,     // a: the template, b: the key at the left, c: the key at the right
    jump,         // a: its length, signed
    in_domain,    // two rules in a row of the sentence's domain
  };
  Kind kind;
  std::uint32_t a = 0, b = 0, c = 0;

  std::uint64_t hash() const {
    return combine(combine(combine(static_cast<std::uint64_t>(kind), a), b), c);
  }
  friend bool operator==(const Piece&, const Piece&) = default;
};

// Adds to `dense` (Model::dense values) what the phrases score there, and to `used` the pieces that
// they are made of, as `pieces` numbers them. A user's non-local features are not here.
void add_features(const Task& task, const Sentence& sentence, std::span<const Phrase> phrases,
                  std::span<double> dense, ValueTable<Piece>& pieces,
                  std::vector<std::uint32_t>& used);
// Appends the sparse features of a piece, each once; those that are new get their ids.
void add_piece(const Task& task, const Sentence& sentence, const Piece& piece,
               features::FeatureTable& table, std::vector<FeatureId>& ids,
               std::vector<double>& values);

}  // namespace miriam::search
