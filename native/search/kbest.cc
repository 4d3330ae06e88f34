#include "search/kbest.hh"

#include <algorithm>

namespace miriam::search {

KBest::KBest(const Graph& graph, std::vector<Search::Goal> goals)
    : graph_(graph), goals_(std::move(goals)) {
  for (std::uint32_t g = 0; g < goals_.size(); ++g)
    ends_.push_back({goals_[g].score, nullptr, 0, g});
  std::make_heap(ends_.begin(), ends_.end());
}

KBest::Node& KBest::node(std::uint32_t hypothesis) {
  const auto [found, fresh] = nodes_.try_emplace(hypothesis);
  Node& node = found->second;
  if (!fresh) return node;
  std::uint32_t number = 0;
  const Hypothesis* edge = &graph_.hypotheses[hypothesis];
  node.waiting.push_back({edge->score, edge, 0, number});
  for (std::uint32_t a = edge->alternative; a != kNone; a = edge->alternative) {
    edge = &graph_.alternatives[a];
    node.waiting.push_back({edge->score, edge, 0, ++number});
  }
  std::make_heap(node.waiting.begin(), node.waiting.end());
  return node;
}

// The rank-th best way to a node (from 0), or null.
const KBest::Way* KBest::way(std::uint32_t hypothesis, std::uint32_t rank) {
  Node& here = node(hypothesis);
  while (here.best.size() <= rank)
    if (!advance(here)) return nullptr;
  return &here.best[rank];
}

// Finds one more way; false if there is none.
bool KBest::advance(Node& node) {
  if (!node.best.empty() && node.best.back().edge->back != kNone) {
    // The last one found takes its tail's rank-th best; the tail's next best may follow.
    Way following = node.best.back();
    const std::uint32_t tail = following.edge->back;
    ++following.rank;
    if (const Way* longer = way(tail, following.rank); longer != nullptr) {
      following.score = following.edge->score - graph_.hypotheses[tail].score + longer->score;
      node.waiting.push_back(following);
      std::push_heap(node.waiting.begin(), node.waiting.end());
    }
  }
  if (node.waiting.empty()) return false;
  std::pop_heap(node.waiting.begin(), node.waiting.end());
  node.best.push_back(node.waiting.back());
  node.waiting.pop_back();
  return true;
}

bool KBest::next(std::vector<const Hypothesis*>& phrases, double& score) {
  if (ends_.empty()) return false;
  std::pop_heap(ends_.begin(), ends_.end());
  Way end = ends_.back();
  ends_.pop_back();
  score = end.score;
  phrases.clear();
  std::uint32_t at = goals_[end.number].hypothesis;
  for (std::uint32_t rank = end.rank;;) {
    const Way* here = way(at, rank);
    if (here->edge->back == kNone) break;
    phrases.push_back(here->edge);
    rank = here->rank;
    at = here->edge->back;
  }
  const Search::Goal& goal = goals_[end.number];
  ++end.rank;
  if (const Way* longer = way(goal.hypothesis, end.rank); longer != nullptr) {
    end.score = goal.score - graph_.hypotheses[goal.hypothesis].score + longer->score;
    ends_.push_back(end);
    std::push_heap(ends_.begin(), ends_.end());
  }
  return true;
}

}  // namespace miriam::search
