// What a thread needs for a sentence: caches that outlive it, within a bound, and an arena.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "search/kbest.hh"
#include "search/language.hh"
#include "search/task.hh"

namespace miriam::search {

class SourcePrefixes;

// The derivations of a batch, sentence by sentence, best first, as arrays. The rules of a
// derivation come in target order; a hierarchical rule comes before those in its gaps, which follow
// in source order.
struct Candidates {
  std::vector<std::uint64_t> sentence_ends;  // in candidates
  std::vector<std::uint64_t> phrase_ends;    // of each candidate, in phrases
  std::vector<double> scores;                // of each candidate
  std::vector<RuleId> rules;                 // of each phrase
  std::vector<std::uint16_t> begins, ends;   // of each phrase: its source span
};

class Workspace {
 public:
  explicit Workspace(const Task& task) {
    for (const LanguageModelUse& lm : task.model->lms) lms_.emplace_back(lm);
  }
  virtual ~Workspace() = default;

  // Makes ready for a sentence; `version` is another for other weights and settings.
  void start(const Task& task, std::uint64_t version);
  // The sentence's best derivations; sentence_ends stays empty.
  virtual Candidates decode(const Task& task, const Sentence& sentence) = 0;

 protected:
  // Keeps what is known of rules for another call with the same weights and settings; false if that
  // has become too much.
  virtual bool resume(const Task& task) = 0;
  // Forgets what is known of rules and language-model states.
  virtual void reset(const Task& task) = 0;

  std::vector<LmCache> lms_;

 private:
  static constexpr std::size_t kMaxStates = std::size_t{1} << 16;

  bool ready_ = false;
  std::uint64_t version_ = 0;
};

std::unique_ptr<Workspace> phrase_workspace(const Task& task);
std::unique_ptr<Workspace> chart_workspace(const Task& task, const SourcePrefixes& prefixes);

// Adds up to `count` derivations to `out`; `add` writes the rules of one.
template <class Edge, class Add>
void collect(KBest<Edge>& kbest, std::size_t count, Candidates& out, const Add& add) {
  std::vector<const Edge*> edges;
  double score = 0;
  while (out.scores.size() < count && kbest.next(edges, score)) {
    add(edges);
    out.phrase_ends.push_back(out.rules.size());
    out.scores.push_back(score);
  }
}

}  // namespace miriam::search
