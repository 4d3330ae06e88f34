#include "search/kbest.hh"

#include <algorithm>

namespace miriam::search {

KBest::KBest(const Graph& graph, std::vector<Search::Goal> goals, Words words)
    : graph_(graph), goals_(std::move(goals)), words_(std::move(words)) {
  for (std::uint32_t g = 0; g < goals_.size(); ++g)
    ends_.push_back({goals_[g].score, nullptr, 0, g, 0});
  std::make_heap(ends_.begin(), ends_.end());
}

KBest::Node& KBest::node(std::uint32_t hypothesis) {
  const auto [found, fresh] = nodes_.try_emplace(hypothesis);
  Node& node = found->second;
  if (!fresh) return node;
  std::uint32_t number = 0;
  const Hypothesis* edge = &graph_.hypotheses[hypothesis];
  node.waiting.push_back({edge->score, edge, 0, number, 0});
  for (std::uint32_t a = edge->alternative; a != kNone; a = edge->alternative) {
    edge = &graph_.alternatives[a];
    node.waiting.push_back({edge->score, edge, 0, ++number, 0});
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
  for (;;) {
    queue_successor(node);
    if (node.waiting.empty()) return false;
    std::pop_heap(node.waiting.begin(), node.waiting.end());
    node.last = node.waiting.back();
    node.waiting.pop_back();
    if (words_ && repeats(node)) continue;
    node.best.push_back(node.last);
    return true;
  }
}

// The last way taken has its tail's rank-th best; the tail's next best may follow.
void KBest::queue_successor(Node& node) {
  if (node.last.edge == nullptr || node.last.edge->back == kNone) return;
  const std::uint32_t tail = node.last.edge->back;
  const Way* longer = way(tail, node.last.rank + 1);
  if (longer == nullptr) return;
  Way following = node.last;
  ++following.rank;
  following.score = following.edge->score - graph_.hypotheses[tail].score + longer->score;
  node.waiting.push_back(following);
  std::push_heap(node.waiting.begin(), node.waiting.end());
}

// Hashes the words of the last way taken; whether a better way has the same.
bool KBest::repeats(Node& node) {
  Way& last = node.last;
  if (last.edge->back == kNone) return false;
  last.hash = way(last.edge->back, last.rank)->hash;
  for (const WordId word : words_(last.edge->option)) last.hash = combine(last.hash, word);
  return std::ranges::any_of(node.best,
                             [&](const Way& better) { return better.hash == last.hash; });
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
