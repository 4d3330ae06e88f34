// A sentence's translation options: for each span its best rules, scored once.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/intern.hh"
#include "features/feature_table.hh"
#include "search/language.hh"
#include "search/model.hh"
#include "search/rule_features.hh"
#include "search/sentence.hh"
#include "search/task.hh"

namespace miriam::search {

// The weighted scores of one rule for each orientation to a neighbour.
struct OrientationRow {
  std::array<std::array<double, kEvents>, kNeighbours> scores{};
  std::uint64_t hash() const {
    return hash_bytes({reinterpret_cast<const char*>(&scores), sizeof scores});
  }
  friend bool operator==(const OrientationRow&, const OrientationRow&) = default;
};

struct Option {
  double score = 0;  // weighted: local features, and language models without left context
  RuleId rule = 0;
  std::uint32_t previous = 0;  // the row of its scores with the previous phrase
  std::uint32_t next = 0;      // ... with the next
  std::uint16_t target_length = 0;
  std::uint16_t flags = 0;  // and kInDomain
};
// The flag of a rule that was seen in the sentence's domain, behind those of templates.
inline constexpr std::uint16_t kInDomain = 0x100;

// Options of phrases, kept by a thread until the weights change.
class OptionCache {
 public:
  OptionCache(const Task& task, std::span<LmCache> lms);

  // Works for another sentence, with the same model, weights and settings.
  void resume(const Task& task) { task_ = task; }

  // The options of a phrase: at most the rule limit.
  OptionRange phrase(std::span<const WordId> words);
  // Puts extra rules and (if `others`) the phrase's own into one range, until forget_extra().
  OptionRange mixed(OptionRange others, std::span<const RuleId> extra);
  void forget_extra();

  const Option& operator[](std::uint32_t option) const { return options_[option]; }
  const LmCache::Phrase* lm(std::uint32_t option) const { return &lm_[option * lms_.size()]; }
  // (left, right) for each boundary template.
  const std::uint32_t* boundary(std::uint32_t option) const {
    return &boundary_[option * 2 * task_.model->boundaries.size()];
  }
  const OrientationRow& row(std::uint32_t number) const { return rows_[number]; }
  std::size_t size() const { return options_.size(); }

 private:
  struct Scored {
    double score;
    RuleUse use;
    std::span<const WordId> target;
    friend bool operator<(const Scored& a, const Scored& b) {
      return a.score != b.score ? a.score > b.score : a.use.rule < b.use.rule;
    }
  };

  Scored score(const RuleUse& use, std::span<const WordId> target);
  void add_models(Scored& scored) const;
  void keep_best();           // of found_
  OptionRange append_best();  // found_
  void append(const Scored& scored);
  void orient(const Scored& scored, Option& option);

  Task task_;
  std::span<LmCache> lms_;
  std::vector<Option> options_;
  std::vector<LmCache::Phrase> lm_;
  std::vector<std::uint32_t> boundary_;
  ValueTable<OrientationRow> rows_;
  SequenceTable phrases_;  // a phrase's rules in each table, and the sentence's totals and domains
  std::vector<OptionRange> ranges_;  // of phrases_
  std::vector<Scored> found_;        // a buffer
  std::vector<std::uint32_t> key_;   // a buffer
  std::size_t kept_ = 0;             // options that are no sentence's own
};

// The options of one sentence by span.
class Lattice {
 public:
  Lattice(const Task& task, const Sentence& sentence, OptionCache& options);

  std::uint32_t words() const { return words_; }
  std::uint32_t longest(std::uint32_t begin) const { return longest_[begin]; }
  OptionRange at(std::uint32_t begin, std::uint32_t end) const;

 private:
  void place_extra(const Sentence& sentence, OptionCache& options, const std::vector<bool>& closed);

  std::uint32_t words_;
  std::uint32_t width_;                 // the longest span
  std::vector<OptionRange> ranges_;     // words_ x width_
  std::vector<std::uint32_t> longest_;  // by begin: the longest span that has options
};

}  // namespace miriam::search
