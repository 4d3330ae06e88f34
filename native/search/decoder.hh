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

// The feature values of candidates, factored: a dense matrix, how often a candidate has each piece,
// and the sparse features of each piece.
struct CandidateFeatures {
  std::vector<double> dense;              // candidates x Model::dense
  features::Rows uses;                    // of each candidate: pieces
  features::Rows pieces;                  // of each piece: features
  std::vector<std::uint64_t> piece_ends;  // where the pieces of each sentence end
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

  Candidates decode(std::span<const Sentence> sentences, const Call& call, Progress& progress);
  // New features get their ids here, in the candidates' order.
  CandidateFeatures features(std::span<const Sentence> sentences, const Candidates& candidates,
                             const Call& call);
  // The rules for parts of the sentences whose templates have not been asked yet, in order; parts
  // have at most so many words, and of each source side so many rules are considered.
  std::vector<RuleId> unknown_rules(std::span<const Sentence> sentences, std::uint32_t longest,
                                    std::uint32_t limit);
  // Those of some rules whose templates have not been asked yet, each once.
  std::vector<RuleId> unknown_of(std::span<const RuleId> some) const;
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
