// What the decoder is given: tables, language models, and which feature each number of theirs is.
//
// Nothing here belongs to the decoder; the caller keeps it alive. A feature is a dense id, and its
// weight is weights[id]. The ids below Model::dense are the dense features: those whose values
// every derivation has, and which an n-best list holds as a matrix.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "features/feature_table.hh"
#include "lexicon/vocabulary.hh"
#include "lm/model.hh"
#include "rules/table.hh"

namespace miriam::search {

using features::FeatureId;
using lexicon::WordId;
inline constexpr FeatureId kNoFeature = -1;

// Rules are numbered through all tables; those made for one call (unknown words, forced
// translations) come after them.
using RuleId = std::uint32_t;

// Weights by feature. A learner keeps them in rows, with what it owes on them: a weight that was
// idle has yet to be moved towards 0 by (clock - paid) * unit. Reading it so costs one cache line,
// and nobody has to visit the weights that are not read.
class Weights {
 public:
  struct Rows {
    std::span<const double> values;  // `width` numbers a feature
    std::uint32_t width = 1, weight = 0;
    bool owed = false;  // whether there are the columns that follow
    std::uint32_t paid = 0, unit = 0;
    double clock = 0;
  };

  explicit Weights(const Rows& rows) : rows_(rows), count_(rows.values.size() / rows.width) {}
  explicit Weights(std::span<const double> values) : Weights(Rows{.values = values}) {}
  // Features that became known after the weights were made weigh nothing.
  double operator[](FeatureId id) const {
    const auto at = static_cast<std::size_t>(id);  // kNoFeature is beyond every array
    if (at >= count_) return 0.0;
    const double* row = rows_.values.data() + at * rows_.width;
    const double weight = row[rows_.weight];
    if (!rows_.owed) return weight;
    const double left = std::abs(weight) - (rows_.clock - row[rows_.paid]) * row[rows_.unit];
    return left > 0 ? std::copysign(left, weight) : 0.0;
  }

 private:
  Rows rows_;
  std::size_t count_;
};

// How a phrase lies to its neighbour: monotone, swapped, or apart with the later one left or right.
enum class Event : std::uint8_t { monotone, swap, left, right };
inline constexpr std::size_t kEvents = 4;
// The neighbour is the phrase before, or the block of phrases that a shift-reduce parser has built.
enum class Neighbour : std::uint8_t { phrase, block };
inline constexpr std::size_t kNeighbours = 2;

// A score that a rule adds when one of some events happens (bit 1 << event). With the next phrase
// it is the earlier phrase's rule that scores.
struct OrientationScore {
  Neighbour neighbour;
  bool with_next;
  std::uint8_t events;
  std::uint32_t column;
  FeatureId feature;
};

struct ScoreColumn {
  std::uint32_t column;
  FeatureId feature;
};

struct TableUse {
  const rules::TableView* table;
  RuleId first_rule;
  std::vector<ScoreColumn> scores;
  std::vector<OrientationScore> orientations;

  double score(RuleId rule, std::uint32_t column) const {
    return static_cast<double>(table->scores(rule - first_rule)[column]);
  }
};

struct LanguageModelUse {
  const lm::Model* model;
  std::span<const WordId> ids;  // the model's ids of the target words
  FeatureId feature;
};

// A feature and its copies for domains, which are `stride` ids apart (0: there are none). In a
// sentence of some domains their copies fire too (feature augmentation).
struct Feature {
  FeatureId id = kNoFeature;
  std::uint32_t stride = 0;
};

// Indicator features of a rule's key and an orientation: feature = key + class, eight in a row.
// Classes 0..3 are with the previous phrase, 4..7 with the next, each firing at `events`.
struct OrientationTemplate {
  Neighbour neighbour;
  std::array<std::uint8_t, 8> events;
  std::uint32_t stride = 0;  // from one domain's eight to the next
};

// Features with integer keys that the decoder makes: a family of the feature table.
struct KeyedFamily {
  std::int32_t number = -1;  // -1: there is none
  std::uint32_t stride = 0;
};

// A feature for each pair (right key of what precedes, left key of a rule), by its template.
struct BoundaryTemplate {
  KeyedFamily family;
  std::uint32_t begin_key, end_key;
};

struct Model {
  std::vector<TableUse> tables;
  RuleId rule_count = 0;  // of all tables
  std::vector<LanguageModelUse> lms;
  FeatureId dense = 0;
  FeatureId distortion = kNoFeature;
  FeatureId word_penalty = kNoFeature;
  FeatureId phrase_penalty = kNoFeature;
  FeatureId unknown_word = kNoFeature;
  FeatureId glue = kNoFeature;
  // The words that stand for gaps in hierarchical rules; none of this if rules are phrases.
  bool hierarchical = false;
  std::array<WordId, rules::kMaxGaps> source_gaps{}, target_gaps{};
  KeyedFamily signed_distortion;
  std::vector<OrientationTemplate> orientations;
  std::vector<BoundaryTemplate> boundaries;
  // Of each ratio the feature: a count of the derivation's rules over a number of the sentence.
  std::vector<Feature> ratios;
  std::vector<FeatureId> adjacent;  // fires when a rule and the one before it have this flag
  std::uint32_t domains = 0;        // that features have copies for
  // Fires for a rule that was seen in the sentence's domain, and for two in a row.
  Feature in_domain, adjacent_in_domain;

  // Which gap a word of a target side stands for; kMaxGaps: none.
  std::size_t gap_of(WordId word) const {
    if (!hierarchical) return rules::kMaxGaps;
    return static_cast<std::size_t>(std::ranges::find(target_gaps, word) - target_gaps.begin());
  }
  // The table that a rule is in, or null for an extra rule.
  const TableUse* table_of(RuleId rule) const {
    const TableUse* found = nullptr;
    for (const TableUse& use : tables)
      if (use.first_rule <= rule && rule < rule_count) found = &use;
    return found;
  }
};

struct Settings {
  std::uint32_t pops = 400;
  std::uint32_t stack = 0;            // hypotheses kept of each stack; 0: a third of the pops
  std::int32_t distortion_limit = 6;  // -1: none but the window's
  bool limit_jumps = false;           // also every single jump
  std::uint32_t max_phrase = 7;
  std::uint32_t max_span = 10;   // source words of a hierarchical rule, gaps filled
  std::uint32_t considered = 0;  // rules of a source side that are looked at; 0: all
  std::uint32_t rule_limit = 20;
  std::uint32_t nbest = 1;
  bool distinct = false;
  bool future_distortion = true;
  bool recombine = true;
  // Whether hypotheses are merged although orientations, or boundaries, may treat them differently.
  bool ignore_orientation = false, ignore_boundary = false;
};

// The rules that are looked at of those with one source side, which come the most frequent first.
inline rules::RuleRange considered(rules::RuleRange all, std::uint32_t limit) {
  if (limit > 0 && all.size() > limit) all.end = all.begin + limit;
  return all;
}

}  // namespace miriam::search
