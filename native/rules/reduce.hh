// The last of the three steps: the records of one partition become sorted, scored rules.
//
// Rules are partitioned by their source phrase, whose total c(f) is therefore at hand. The totals
// c(e) of the target phrases come from the partitions of target records, which are reduced first:
// both are sorted by the target's hash, and one pass over the targets finds them all. No step holds
// more than its own partition.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/progress.hh"
#include "rules/lexical.hh"
#include "rules/orientation.hh"
#include "rules/records.hh"

namespace miriam::rules {

// Reduced target records as arrays.
struct TargetColumns {
  std::vector<WordId> words;
  std::vector<std::uint64_t> ends;  // where each phrase ends in `words`
  std::vector<double> counts;
};
// `unit`: the count of a record that stands for 1.
TargetColumns target_columns(ByteView reduced, std::uint32_t unit);

struct ScoreOptions {
  std::vector<std::size_t> classes;  // of each kind of reordering: 3 (left and right are one) or 4
  double smoothing;                  // added to the count of each orientation
  bool gaps;                         // whether the rules have gaps, and counts are fractions
};

// Probabilities and lexical weights, count and unique.
inline constexpr std::size_t kPhraseScores = 6;

// The rules of a partition: source phrases by hash, the rules of each by falling count.
struct RuleColumns {
  std::vector<WordId> source_words;
  std::vector<std::uint64_t> source_ends;  // where each source phrase ends in `source_words`
  std::vector<std::uint64_t> rule_ends;    // where the rules of each source phrase end
  std::vector<double> source_counts;
  std::vector<std::uint32_t> targets;  // numbers of target phrases
  std::vector<double> counts;
  std::vector<std::uint64_t> domains;
  std::vector<std::uint32_t> links;       // numbers of sets of links, in order of appearance
  std::vector<std::uint8_t> link_points;  // two bytes a link: source word, target word
  std::vector<std::uint64_t> link_ends;   // where each set ends in `link_points`
  std::vector<float> scores;              // natural logs: the above, and 2 x classes
};

class RulePartition {
 public:
  // The records are kept by reference.
  RulePartition(std::span<const ByteView> buffers);

  // Takes totals and numbers from reduced target records; called for all of them in order.
  void join(ByteView targets);
  RuleColumns finish(const LexicalTable& lexical, const ScoreOptions& options,
                     Progress& progress) const;

 private:
  struct Pair {
    std::size_t begin, end;  // in `records_`
    std::uint32_t target = 0;
    std::uint64_t count = 0;
    std::uint64_t target_count = 0;  // 0: not joined yet
  };
  struct Wanted {
    std::uint64_t hash;
    std::size_t pair;
  };

  const RuleRecord& record(const Pair& pair) const { return *records_[pair.begin]; }
  void add_rule(const Pair& pair, std::uint64_t source_count, const LexicalWeights& weights,
                const ScoreOptions& options, RuleColumns& columns) const;
  void add_orientations(const Pair& pair, const ScoreOptions& options, RuleColumns& columns) const;
  const RuleRecord& best_links(const Pair& pair) const;

  std::vector<const RuleRecord*> records_;
  std::vector<Pair> pairs_;
  std::vector<Wanted> wanted_;  // by hash
  std::size_t next_wanted_ = 0;
  std::uint32_t next_target_ = 0;
};

}  // namespace miriam::rules
