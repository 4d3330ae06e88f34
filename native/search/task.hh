// What a call of the decoder works with, and what a rule scores by itself.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "features/feature_table.hh"
#include "search/model.hh"
#include "search/rule_features.hh"
#include "search/sentence.hh"

namespace miriam::search {

// Non-local features that are not ours: states are numbers which the implementation hands out.
class UserFeatures {
 public:
  struct Step {
    double score;
    std::uint32_t state;
  };
  virtual ~UserFeatures() = default;
  virtual std::uint32_t begin(const Sentence& sentence) = 0;
  virtual Step extend(std::uint32_t state, RuleId rule, std::uint32_t begin, std::uint32_t end) = 0;
  virtual double finish(std::uint32_t state) = 0;
};

// What a call works with for a sentence; nothing of it changes while its threads run.
struct Task {
  const Model* model;
  Weights weights;
  Settings settings;
  const RuleFeatures* features;        // of rules of the tables
  const RuleFeatures* extra_features;  // of extra rules
  const features::FeatureTable* known;
  UserFeatures* user = nullptr;                       // slow: they are Python
  std::vector<std::span<const WordId>> extra_lm_ids;  // of target words beyond the tables'
  const Sentence* sentence = nullptr;

  // What a feature weighs in the sentence, with its copies for the sentence's domains.
  double weight(Feature feature) const {
    double total = weights[feature.id];
    if (feature.stride > 0 && feature.id >= 0)
      for (const std::uint32_t domain : sentence->domains)
        total += weights[feature.id + static_cast<FeatureId>(domain * feature.stride)];
    return total;
  }
  bool is_extra(RuleId rule) const { return rule >= model->rule_count; }
  // The features of which a rule's are some.
  const RuleFeatures& rule_features(RuleId rule) const {
    return is_extra(rule) ? *extra_features : *features;
  }
  WordId lm_id(const LanguageModelUse& use, WordId word) const {
    const auto which = static_cast<std::size_t>(&use - model->lms.data());
    return word < use.ids.size() ? use.ids[word] : extra_lm_ids[which][word - use.ids.size()];
  }
};

// The options of a source side, best first: a range of those that a cache keeps.
struct OptionRange {
  std::uint32_t first = 0, count = 0;
};

// A rule as an option of a sentence.
struct RuleUse {
  RuleId rule;
  std::uint32_t row;      // of its features, or kNone
  const TableUse* table;  // null: an extra rule
  bool unknown = false;
};

// The weighted score of a rule with so many target words, without language models and what lies
// between rules.
double local_score(const Task& task, const RuleUse& use, std::size_t words);

}  // namespace miriam::search
