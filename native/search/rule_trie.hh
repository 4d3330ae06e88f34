// Source sides as a trie, of which as much is made as sentences have asked for, and the dotted
// rules of a sentence: source sides that match some of its words as far as they have been read.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "base/intern.hh"
#include "search/model.hh"
#include "search/source_prefixes.hh"

namespace miriam::search {

class RuleTrie {
 public:
  RuleTrie(const Model& model, const SourcePrefixes& prefixes)
      : model_(&model), prefixes_(&prefixes) {
    clear();
  }

  std::uint32_t root() const { return 0; }
  // What a node leads to with one more symbol; kNone: no source side begins so.
  std::uint32_t child(std::uint32_t node, WordId symbol) {
    return children_.get(node, symbol, [&] { return make(node, symbol); });
  }
  // The rows of each table whose source side is this node.
  std::span<const rules::RuleRange> rules(std::uint32_t node) const {
    return std::span(rules_).subspan(node * model_->tables.size(), model_->tables.size());
  }
  bool has_rules(std::uint32_t node) const { return nodes_[node].has_rules; }
  std::size_t size() const { return nodes_.size(); }
  void clear();

 private:
  struct Node {
    std::uint32_t parent;
    WordId symbol;
    std::uint64_t hash;
    bool has_rules;
  };

  std::uint32_t make(std::uint32_t parent, WordId symbol);

  const Model* model_;
  const SourcePrefixes* prefixes_;
  std::vector<Node> nodes_;
  std::vector<rules::RuleRange> rules_;  // nodes x tables
  PairMemo<std::uint32_t> children_;
  std::vector<WordId> symbols_;  // a buffer
};

// The dotted rules that begin at one word of a sentence.
//
//   1. start() there.
//   2. For each end from there on: reach() it, which goes on with the word before it and with all
//      shorter gaps that end in it; ending() are the dotted rules that end there.
//   3. bridge() it, if a gap may go from the beginning to this end.
class DottedRules {
 public:
  struct Dotted {
    std::uint32_t node;
    std::uint32_t gap_count = 0;
    std::array<std::uint32_t, rules::kMaxGaps> gap_begins{}, gap_ends{};
  };

  explicit DottedRules(RuleTrie& trie, const Model& model)
      : trie_(trie), gaps_(model.source_gaps) {}

  void start(std::uint32_t begin);
  // `word` is kNoWord if no rule may have it; filled(begin, end): whether a gap may be there.
  template <class Filled>
  void reach(std::uint32_t end, WordId word, const Filled& filled);
  std::span<const Dotted> ending(std::uint32_t end) const { return ends_[end - begin_]; }
  void bridge(std::uint32_t end) { add_gap({trie_.root()}, begin_, end); }

 private:
  void add_gap(Dotted dotted, std::uint32_t begin, std::uint32_t end) {
    dotted.node = trie_.child(dotted.node, gaps_[dotted.gap_count]);
    if (dotted.node == kNone) return;
    dotted.gap_begins[dotted.gap_count] = begin;
    dotted.gap_ends[dotted.gap_count++] = end;
    ends_[end - begin_].push_back(dotted);
  }

  RuleTrie& trie_;
  std::array<WordId, rules::kMaxGaps> gaps_;
  std::uint32_t begin_ = 0;
  std::vector<std::vector<Dotted>> ends_;  // by the words they have read
};

// Makes the nodes of all source sides that match a part of a sentence of at most so many words.
void match_rules(RuleTrie& trie, const Model& model, std::span<const WordId> words,
                 std::uint32_t longest);

template <class Filled>
void DottedRules::reach(std::uint32_t end, WordId word, const Filled& filled) {
  const std::uint32_t read = end - begin_;
  if (ends_.size() <= read) ends_.resize(read + 1);
  ends_[read].clear();
  if (word != lexicon::kNoWord)
    for (const Dotted& dotted : ends_[read - 1])
      if (const std::uint32_t node = trie_.child(dotted.node, word); node != kNone) {
        ends_[read].push_back(dotted);
        ends_[read].back().node = node;
      }
  for (std::uint32_t at = begin_ + 1; at < end; ++at)
    if (filled(at, end))
      for (const Dotted& dotted : ends_[at - begin_])
        if (dotted.gap_count < gaps_.size()) add_gap(dotted, at, end);
}

}  // namespace miriam::search
