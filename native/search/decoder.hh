// Batches of sentences in, candidates out: threads over sentences, each with an arena of its own.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <span>
#include <vector>

#include "base/progress.hh"
#include "features/collect.hh"
#include "search/derivation.hh"
#include "search/source_prefixes.hh"
#include "search/workspace.hh"

namespace miriam::search {

// The feature values of candidates: a dense matrix, and the sparse features that are not a rule's.
struct CandidateFeatures {
  std::vector<double> dense;  // candidates x Model::dense
  features::Rows sparse;
};

class Decoder {
 public:
  Decoder(Model model, features::FeatureTable& features);
  ~Decoder();

  struct Call {
    Weights weights;
    std::uint64_t weights_version;  // the same number only for the same weights and settings
    Settings settings;
    const RuleFeatures* extra_features;
    std::vector<std::span<const WordId>> extra_lm_ids;
    UserFeatures* user = nullptr;
    unsigned threads = 1;
  };

  const Model& model() const { return model_; }
  // Waits for the threads that are decoding.
  void add_rules(const RuleFeatures::Batch& batch);
  // Calls `use` with the features of the tables' rules, while nobody adds to them.
  template <class Use>
  auto with_rule_features(const Use& use) const {
    const std::shared_lock lock(rules_mutex_);
    return use(rule_features_);
  }

  Candidates decode(std::span<const Sentence> sentences, const Call& call, Progress& progress);
  // New features get their ids here, in the candidates' order.
  CandidateFeatures features(std::span<const Sentence> sentences, const Candidates& candidates,
                             const Call& call);
  // The rules for parts of the sentences whose templates have not been asked yet, in order; parts
  // have at most so many words.
  std::vector<RuleId> unknown_rules(std::span<const Sentence> sentences, std::uint32_t longest);
  // The target words of candidates, one after another; fills where each ends.
  std::vector<WordId> targets(std::span<const Sentence> sentences, const Candidates& candidates,
                              std::vector<std::uint64_t>& ends) const;
  // For each word of a sentence: whether some rule translates it alone.
  std::vector<std::uint8_t> known_words(std::span<const WordId> words) const;

 private:
  Task task_for(const Call& call) const;
  void check(const Sentence& sentence) const;
  std::unique_ptr<Workspace> borrow(const Task& task, const Call& call);

  Model model_;
  std::optional<SourcePrefixes> prefixes_;  // if rules are hierarchical
  features::FeatureTable& features_;
  RuleFeatures rule_features_;
  mutable std::shared_mutex rules_mutex_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<Workspace>> idle_;
};

}  // namespace miriam::search
