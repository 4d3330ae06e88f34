// The best derivations of a search graph, one after another: Huang and Chiang (2005), algorithm 3.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "search/graph.hh"
#include "search/model.hh"

namespace miriam::search {

// A hash of words that can be put together from those of parts.
struct Yield {
  std::uint64_t hash = 0;
  std::uint64_t power = 1;  // of the base, by the number of words

  Yield& operator+=(const Yield& next) {
    hash = hash * next.power + next.hash;
    power *= next.power;
    return *this;
  }
  Yield& operator+=(WordId word) { return *this += Yield{mix(word + 1u), 0x9e3779b97f4a7c15u}; }
};

template <class Edge>
class KBest {
 public:
  static constexpr std::size_t kTails = std::tuple_size_v<decltype(Edge().tails())>;
  using Ranks = std::array<std::uint32_t, kTails>;
  // The words of an edge, given those of its tails.
  using Words = std::function<Yield(const Edge& edge, std::span<const Yield, kTails> tails)>;

  // With `words`, of derivations that end in the same node with the same words (by their hash of 64
  // bits) only the best is found: whatever follows scores alike, so no other can win.
  KBest(const Graph<Edge>& graph, std::vector<Goal> goals, Words words = {});

  // The next best derivation; false when there are no more. Its edges come as they lie in the
  // tree: each before those of its tails, which follow from left to right.
  bool next(std::vector<const Edge*>& edges, double& score);

 private:
  // The derivation that ends with an edge, whose tails are reached in these best ways.
  struct Way {
    double score = 0;
    const Edge* edge = nullptr;
    Ranks ranks{};
    std::uint32_t number = 0;  // of the edge among the node's: for a fixed order of equals
    Yield yield{};             // where only different ones are wanted
    friend bool operator<(const Way& a, const Way& b) {
      if (a.score != b.score) return a.score < b.score;
      return a.number != b.number ? a.number > b.number : a.ranks > b.ranks;
    }
  };
  struct Node {
    std::vector<Way> best;     // found so far, in order
    std::vector<Way> waiting;  // a heap
    Way last{};                // the last one taken, whose successors are still to be queued
  };
  struct End {
    double score;
    std::uint32_t goal, rank;
    friend bool operator<(const End& a, const End& b) {
      if (a.score != b.score) return a.score < b.score;
      return a.goal != b.goal ? a.goal > b.goal : a.rank > b.rank;
    }
  };

  Node& node(std::uint32_t number);
  const Way* way(std::uint32_t number, std::uint32_t rank);
  bool seen_before(const End& end);
  bool advance(Node& node);
  void queue_successors(Node& node);
  bool repeats(Node& node);
  void queue_end(std::uint32_t goal, std::uint32_t rank);

  const Graph<Edge>& graph_;
  std::vector<Goal> goals_;
  Words words_;
  std::unordered_map<std::uint32_t, Node> nodes_;
  std::vector<End> ends_;  // a heap
  End last_{};             // the last one taken, whose successor is still to be queued
  bool started_ = false;
  std::unordered_set<std::uint64_t> seen_;  // hashes of words
};

template <class Edge>
KBest<Edge>::KBest(const Graph<Edge>& graph, std::vector<Goal> goals, Words words)
    : graph_(graph), goals_(std::move(goals)), words_(std::move(words)) {
  for (std::uint32_t g = 0; g < goals_.size(); ++g) ends_.push_back({goals_[g].score, g, 0});
  std::make_heap(ends_.begin(), ends_.end());
}

template <class Edge>
typename KBest<Edge>::Node& KBest<Edge>::node(std::uint32_t number) {
  const auto [found, fresh] = nodes_.try_emplace(number);
  Node& node = found->second;
  if (!fresh) return node;
  std::uint32_t count = 0;
  const Edge* edge = &graph_.nodes[number];
  node.waiting.push_back({edge->score, edge, {}, count});
  for (std::uint32_t a = edge->alternative; a != kNone; a = edge->alternative) {
    edge = &graph_.alternatives[a];
    node.waiting.push_back({edge->score, edge, {}, ++count});
  }
  std::make_heap(node.waiting.begin(), node.waiting.end());
  return node;
}

// The rank-th best way to a node (from 0), or null.
template <class Edge>
const typename KBest<Edge>::Way* KBest<Edge>::way(std::uint32_t number, std::uint32_t rank) {
  Node& here = node(number);
  while (here.best.size() <= rank)
    if (!advance(here)) return nullptr;
  return &here.best[rank];
}

// Finds one more way; false if there is none.
template <class Edge>
bool KBest<Edge>::advance(Node& node) {
  for (;;) {
    queue_successors(node);
    if (node.waiting.empty()) return false;
    std::pop_heap(node.waiting.begin(), node.waiting.end());
    node.last = node.waiting.back();
    node.waiting.pop_back();
    if (words_ && repeats(node)) continue;
    node.best.push_back(node.last);
    return true;
  }
}

// Of the last way taken, one tail's next best may follow; no tail before the last that is not at
// its best, so that each way is queued once.
template <class Edge>
void KBest<Edge>::queue_successors(Node& node) {
  if (node.last.edge == nullptr) return;
  const auto tails = node.last.edge->tails();
  for (std::size_t t = kTails; t-- > 0;) {
    if (tails[t] == kNone) continue;
    if (const Way* longer = way(tails[t], node.last.ranks[t] + 1); longer != nullptr) {
      Way following = node.last;
      ++following.ranks[t];
      following.score = following.edge->score;
      for (std::size_t u = 0; u < kTails; ++u) {
        if (following.ranks[u] == 0) continue;
        following.score += way(tails[u], following.ranks[u])->score - graph_.nodes[tails[u]].score;
      }
      node.waiting.push_back(following);
      std::push_heap(node.waiting.begin(), node.waiting.end());
    }
    if (node.last.ranks[t] > 0) break;
  }
  node.last.edge = nullptr;
}

// Hashes the words of the last way taken; whether a better way has the same.
template <class Edge>
bool KBest<Edge>::repeats(Node& node) {
  Way& last = node.last;
  const auto tails = last.edge->tails();
  std::array<Yield, kTails> yields{};
  for (std::size_t t = 0; t < kTails; ++t)
    if (tails[t] != kNone) yields[t] = way(tails[t], last.ranks[t])->yield;
  last.yield = words_(*last.edge, yields);
  return std::ranges::any_of(node.best, [&](const Way& better) {
    return better.yield.hash == last.yield.hash && better.yield.power == last.yield.power;
  });
}

template <class Edge>
void KBest<Edge>::queue_end(std::uint32_t goal, std::uint32_t rank) {
  const Way* longer = way(goals_[goal].node, rank);
  if (longer == nullptr) return;
  const double end = goals_[goal].score - graph_.nodes[goals_[goal].node].score;
  ends_.push_back({end + longer->score, goal, rank});
  std::push_heap(ends_.begin(), ends_.end());
}

// Whether another node ended a better derivation of the same words.
template <class Edge>
bool KBest<Edge>::seen_before(const End& end) {
  const Yield& yield = way(goals_[end.goal].node, end.rank)->yield;
  return words_ && !seen_.insert(combine(yield.hash, yield.power)).second;
}

template <class Edge>
bool KBest<Edge>::next(std::vector<const Edge*>& edges, double& score) {
  do {
    if (started_) queue_end(last_.goal, last_.rank + 1);
    started_ = !ends_.empty();
    if (!started_) return false;
    std::pop_heap(ends_.begin(), ends_.end());
    last_ = ends_.back();
    ends_.pop_back();
  } while (seen_before(last_));
  score = last_.score;
  edges.clear();
  std::vector<std::pair<std::uint32_t, std::uint32_t>> open{{goals_[last_.goal].node, last_.rank}};
  while (!open.empty()) {
    const auto [number, rank] = open.back();
    open.pop_back();
    const Way here = *way(number, rank);
    if (here.edge->option != kNone) edges.push_back(here.edge);
    const auto tails = here.edge->tails();
    for (std::size_t t = kTails; t-- > 0;)
      if (tails[t] != kNone) open.emplace_back(tails[t], here.ranks[t]);
  }
  return true;
}

}  // namespace miriam::search
