// The best rules of each source side, scored once while the weights stay.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "search/language.hh"
#include "search/pieces.hh"
#include "search/rule_trie.hh"
#include "search/task.hh"

namespace miriam::search {

struct ChartOption {
  double score = 0;  // weighted: local features, and language models of each piece by itself
  RuleId rule = 0;
  std::uint32_t pieces = 0;  // where its pieces begin, as language models know them
  std::array<std::uint8_t, rules::kMaxGaps> gaps{};  // in the order of the target
  std::uint8_t gap_count = 0;
  std::uint8_t joints = 0;  // places where words of one piece or gap meet those of another
};

class ChartOptions {
 public:
  ChartOptions(const Task& task, RuleTrie& trie, std::span<LmCache> lms)
      : task_(task), trie_(trie), lms_(lms) {}

  // Works for another sentence, with the same model, weights and settings.
  void resume(const Task& task);
  // The options of a source side, at most the rule limit.
  OptionRange at(std::uint32_t node);
  // The options of rules of the sentence's own.
  OptionRange extra(std::span<const RuleId> rules);

  const ChartOption& operator[](std::uint32_t option) const { return options_[option]; }
  const LmCache::Phrase& piece(const ChartOption& option, std::size_t which, std::size_t lm) const {
    return pieces_[option.pieces + which * lms_.size() + lm];
  }
  std::size_t size() const { return options_.size(); }

 private:
  struct Scored {
    double score;
    RuleId rule;
    friend bool operator<(const Scored& a, const Scored& b) {
      return a.score != b.score ? a.score > b.score : a.rule < b.rule;
    }
  };

  Scored score(const RuleUse& use, std::span<const WordId> target);
  OptionRange append_best();  // of found_
  void append(const Scored& scored);

  Task task_;
  RuleTrie& trie_;
  std::span<LmCache> lms_;
  std::vector<ChartOption> options_;
  std::vector<LmCache::Phrase> pieces_;
  SequenceTable kinds_;           // of sentences: denominators of ratios, and domains
  std::uint32_t sentence_ = 0;    // which of them are this sentence's
  PairMemo<OptionRange> ranges_;  // by node and totals
  std::vector<Scored> found_;     // a buffer
};

}  // namespace miriam::search
