#include "rules/reduce.hh"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <unordered_map>

#include "base/error.hh"
#include "rules/gaps.hh"

namespace miriam::rules {
namespace {

[[noreturn]] void refuse_damaged() {
  throw ModelError("the files of extracted rules do not belong together; delete the work folder");
}

// Numbers sets of links in the order in which they come.
class LinkSets {
 public:
  explicit LinkSets(RuleColumns& columns) : columns_(columns) {}

  std::uint32_t number(ByteView links) {
    const std::string key(links.begin(), links.end());
    const auto [found, is_new] =
        numbers_.try_emplace(key, static_cast<std::uint32_t>(numbers_.size()));
    if (is_new) {
      for (const std::uint8_t link : links) {
        columns_.link_points.push_back(link >> 4);
        columns_.link_points.push_back(link & 15);
      }
      columns_.link_ends.push_back(columns_.link_points.size());
    }
    return found->second;
  }

 private:
  RuleColumns& columns_;
  std::unordered_map<std::string, std::uint32_t> numbers_;
};

// ln of the smoothed relative frequencies of four orientations, or of three if `classes` is 3.
void add_frequencies(std::array<double, kOrientations> counts, std::size_t classes,
                     double smoothing, std::vector<float>& scores) {
  const auto left = static_cast<std::size_t>(Orientation::kLeft);
  if (classes == left + 1) counts[left] += counts[left + 1];
  double total = 0;
  for (std::size_t i = 0; i < classes; ++i) total += counts[i] + smoothing;
  for (std::size_t i = 0; i < classes; ++i) {
    scores.push_back(static_cast<float>(std::log((counts[i] + smoothing) / total)));
  }
}

// Room for so many rules: vectors that grow by doubling would copy and hold twice as much.
void reserve(RuleColumns& columns, std::size_t rules, const ScoreOptions& options) {
  const std::size_t orientations =
      std::accumulate(options.classes.begin(), options.classes.end(), std::size_t{0});
  columns.scores.reserve(rules * (kPhraseScores + 2 * orientations));
  columns.targets.reserve(rules);
  columns.counts.reserve(rules);
  columns.domains.reserve(rules);
  columns.links.reserve(rules);
}

double unit_of(const ScoreOptions& options) { return options.gaps ? kCountUnit : 1; }

// The source words (from 1) linked to each target word, every list ended by 0: the order of these
// keys is that of the lists, word by word.
std::vector<std::uint8_t> by_target(const RuleRecord& record) {
  std::vector<std::uint8_t> key;
  for (std::size_t target = 0; target < record.target_length(); ++target) {
    for (const std::uint8_t link : record.links()) {
      if ((link & 15) == target) key.push_back(static_cast<std::uint8_t>((link >> 4) + 1));
    }
    key.push_back(0);
  }
  return key;
}

}  // namespace

TargetColumns target_columns(ByteView reduced, std::uint32_t unit) {
  TargetColumns columns;
  for (std::size_t at = 0; at < reduced.size();) {
    const auto* record = reinterpret_cast<const TargetRecord*>(reduced.data() + at);
    const auto words = record->words();
    columns.words.insert(columns.words.end(), words.begin(), words.end());
    columns.ends.push_back(columns.words.size());
    columns.counts.push_back(static_cast<double>(record->count()) / unit);
    at += record->bytes();
  }
  return columns;
}

RulePartition::RulePartition(std::span<const ByteView> buffers) : records_(sorted_rules(buffers)) {
  for (std::size_t i = 0; i < records_.size();) {
    Pair pair{.begin = i, .end = i};
    for (; i < records_.size() && same_pair(record(pair), *records_[i]); ++i) {
      pair.count += records_[i]->count;
    }
    pair.end = i;
    wanted_.push_back({record(pair).target_hash, pairs_.size()});
    pairs_.push_back(pair);
  }
  std::sort(wanted_.begin(), wanted_.end(), [](const Wanted& a, const Wanted& b) {
    return a.hash != b.hash ? a.hash < b.hash : a.pair < b.pair;
  });
}

void RulePartition::join(ByteView targets) {
  for (std::size_t at = 0; at < targets.size(); ++next_target_) {
    const auto* target = reinterpret_cast<const TargetRecord*>(targets.data() + at);
    at += target->bytes();
    while (next_wanted_ < wanted_.size() && wanted_[next_wanted_].hash < target->hash) {
      ++next_wanted_;
    }
    // Two target phrases may share a hash: the words decide, and the next record looks again.
    for (std::size_t i = next_wanted_; i < wanted_.size() && wanted_[i].hash == target->hash; ++i) {
      Pair& pair = pairs_[wanted_[i].pair];
      if (std::ranges::equal(record(pair).target(), target->words())) {
        pair.target = next_target_;
        pair.target_count = target->count();
      }
    }
  }
}

RuleColumns RulePartition::finish(const LexicalTable& lexical, const ScoreOptions& options,
                                  Progress& progress) const {
  RuleColumns columns;
  reserve(columns, pairs_.size(), options);
  LinkSets link_sets(columns);
  std::vector<Pair> group;
  for (std::size_t i = 0; i < pairs_.size();) {
    const RuleRecord& first = record(pairs_[i]);
    std::uint64_t source_count = 0;
    group.clear();
    for (; i < pairs_.size() && same_source(first, record(pairs_[i])); ++i) {
      if (pairs_[i].target_count == 0) refuse_damaged();
      source_count += pairs_[i].count;
      group.push_back(pairs_[i]);
    }
    std::sort(group.begin(), group.end(), [](const Pair& a, const Pair& b) {
      return a.count != b.count ? a.count > b.count : a.target < b.target;
    });
    for (const Pair& pair : group) {
      const RuleRecord& best = best_links(pair);
      columns.links.push_back(link_sets.number(best.links()));
      const LexicalWeights weights = lexical.phrase(best.source(), best.target(), best.links(),
                                                    options.gaps ? kGapWords : WordId{0});
      add_rule(pair, source_count, weights, options, columns);
    }
    const auto words = first.source();
    columns.source_words.insert(columns.source_words.end(), words.begin(), words.end());
    columns.source_ends.push_back(columns.source_words.size());
    columns.source_counts.push_back(static_cast<double>(source_count) / unit_of(options));
    columns.rule_ends.push_back(columns.targets.size());
    progress.advance();
  }
  return columns;
}

void RulePartition::add_rule(const Pair& pair, std::uint64_t source_count,
                             const LexicalWeights& weights, const ScoreOptions& options,
                             RuleColumns& columns) const {
  const auto pair_count = static_cast<double>(pair.count);
  const double count = pair_count / unit_of(options);
  const auto add = [&](double score) { columns.scores.push_back(static_cast<float>(score)); };
  add(std::log(pair_count / static_cast<double>(pair.target_count)));
  add(std::log(weights.source_given_target));
  add(std::log(pair_count / static_cast<double>(source_count)));
  add(std::log(weights.target_given_source));
  add(std::log(count));
  add(count <= 1 ? -1.0 : 0.0);
  add_orientations(pair, options, columns);
  std::uint64_t domains = 0;
  for (std::size_t i = pair.begin; i < pair.end; ++i) domains |= records_[i]->domains;
  columns.targets.push_back(pair.target);
  columns.counts.push_back(count);
  columns.domains.push_back(domains);
}

void RulePartition::add_orientations(const Pair& pair, const ScoreOptions& options,
                                     RuleColumns& columns) const {
  for (std::size_t kind = 0; kind < options.classes.size(); ++kind) {
    std::array<double, kOrientations> previous{};
    std::array<double, kOrientations> next{};
    for (std::size_t i = pair.begin; i < pair.end; ++i) {
      const unsigned bits = records_[i]->orientations >> (4 * kind);
      previous[bits >> 2 & 3] += records_[i]->count;
      next[bits & 3] += records_[i]->count;
    }
    add_frequencies(previous, options.classes[kind], options.smoothing, columns.scores);
    add_frequencies(next, options.classes[kind], options.smoothing, columns.scores);
  }
}

// A record with the most frequent links. Of equally frequent ones Moses keeps the greatest,
// compared target word by target word, so that is what we keep.
const RuleRecord& RulePartition::best_links(const Pair& pair) const {
  const RuleRecord* best = nullptr;
  std::uint64_t best_count = 0;
  for (std::size_t i = pair.begin; i < pair.end;) {
    const RuleRecord& links = *records_[i];
    std::uint64_t count = 0;
    for (; i < pair.end && same_links(links, *records_[i]); ++i) count += records_[i]->count;
    if (count > best_count || (count == best_count && by_target(*best) < by_target(links))) {
      best = &links;
      best_count = count;
    }
  }
  return *best;
}

}  // namespace miriam::rules
