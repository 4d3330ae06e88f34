#include "search/rule_trie.hh"

#include <algorithm>

namespace miriam::search {

void RuleTrie::clear() {
  nodes_.assign(1, {kNone, 0, 0, false});
  rules_.assign(model_->tables.size(), {});
  children_.clear();
}

std::uint32_t RuleTrie::make(std::uint32_t parent, WordId symbol) {
  const std::uint64_t hash = combine(nodes_[parent].hash, symbol);
  if (!prefixes_->may_begin(hash)) return kNone;
  symbols_.assign(1, symbol);
  for (std::uint32_t node = parent; node != root(); node = nodes_[node].parent)
    symbols_.push_back(nodes_[node].symbol);
  std::ranges::reverse(symbols_);
  bool has_rules = false;
  for (const TableUse& use : model_->tables) {
    rules_.push_back(use.table->find(symbols_));
    has_rules = has_rules || rules_.back().size() > 0;
  }
  nodes_.push_back({parent, symbol, hash, has_rules});
  return static_cast<std::uint32_t>(nodes_.size() - 1);
}

void DottedRules::start(std::uint32_t begin) {
  begin_ = begin;
  if (ends_.empty()) ends_.resize(1);
  ends_[0].assign(1, {trie_.root()});
}

void match_rules(RuleTrie& trie, const Model& model, std::span<const WordId> words,
                 std::uint32_t longest) {
  DottedRules dotted(trie, model);
  const auto count = static_cast<std::uint32_t>(words.size());
  for (std::uint32_t begin = 0; begin < count; ++begin) {
    dotted.start(begin);
    for (std::uint32_t end = begin + 1; end <= std::min(count, begin + longest); ++end) {
      dotted.reach(end, words[end - 1], [](std::uint32_t, std::uint32_t) { return true; });
      dotted.bridge(end);
    }
  }
}

}  // namespace miriam::search
