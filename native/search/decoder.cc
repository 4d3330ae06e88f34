#include "search/decoder.hh"

#include <algorithm>
#include <string>
#include <unordered_set>

#include "base/error.hh"
#include "base/parallel.hh"
#include "search/coverage.hh"
#include "search/rule_trie.hh"

namespace miriam::search {
namespace {

void read_phrases(const Candidates& candidates, std::size_t candidate,
                  std::vector<Phrase>& phrases) {
  phrases.clear();
  for (std::size_t p = candidate == 0 ? 0 : candidates.phrase_ends[candidate - 1];
       p < candidates.phrase_ends[candidate]; ++p)
    phrases.push_back({candidates.rules[p], candidates.begins[p], candidates.ends[p]});
}

}  // namespace

Decoder::Decoder(Model model, features::FeatureTable& features)
    : model_(std::move(model)), features_(features) {
  if (model_.hierarchical) prefixes_.emplace(model_.tables);
}
Decoder::~Decoder() = default;

Task Decoder::task_for(const Call& call) const {
  return {&model_,    call.weights, call.settings,     &rule_features_, call.extra_features,
          &features_, call.user,    call.extra_lm_ids, nullptr};
}

std::unique_ptr<Workspace> Decoder::borrow(const Task& task, const Call& call) {
  std::unique_ptr<Workspace> workspace;
  {
    const std::lock_guard lock(mutex_);
    if (!idle_.empty()) {
      workspace = std::move(idle_.back());
      idle_.pop_back();
    }
  }
  if (!workspace)
    workspace = prefixes_ ? chart_workspace(task, *prefixes_) : phrase_workspace(task);
  workspace->start(task, call.weights_version);
  return workspace;
}

void Decoder::check(const Sentence& sentence) const {
  if (sentence.words.size() > Sentence::kMaxWords)
    throw InputError("a sentence of " + std::to_string(sentence.words.size()) +
                     " words; the decoder takes at most " + std::to_string(Sentence::kMaxWords));
  if (!sentence.totals.empty() && sentence.totals.size() != model_.ratios.size())
    throw ConfigError("a sentence needs a number for each ratio");
  for (const ExtraRule& extra : sentence.extra)
    if (extra.begin >= extra.end || extra.end > sentence.words.size() ||
        extra.end - extra.begin > static_cast<int>(Coverage::kWindow))
      throw InputError("a translation for words " + std::to_string(extra.begin) + " to " +
                       std::to_string(extra.end) + " of " + std::to_string(sentence.words.size()) +
                       "; a span is within the sentence and has 1 to 64 words");
}

Candidates Decoder::decode(std::span<const Sentence> sentences, const Call& call,
                           Progress& progress) {
  const std::shared_lock rules(rules_mutex_);
  const Task task = task_for(call);
  for (const Sentence& sentence : sentences) check(sentence);
  progress.expect(sentences.size());
  std::vector<Candidates> parts(sentences.size());
  parallel_for(sentences.size(), call.threads, [&](std::size_t i) {
    Task own = task;
    own.sentence = &sentences[i];
    std::unique_ptr<Workspace> workspace = borrow(own, call);
    parts[i] = workspace->decode(own, sentences[i]);
    const std::lock_guard lock(mutex_);
    idle_.push_back(std::move(workspace));
    progress.advance();
  });
  Candidates all;
  const auto append = [](auto& to, const auto& from) {
    to.insert(to.end(), from.begin(), from.end());
  };
  for (const Candidates& part : parts) {
    for (const std::uint64_t end : part.phrase_ends)
      all.phrase_ends.push_back(all.rules.size() + end);
    append(all.scores, part.scores);
    append(all.rules, part.rules);
    append(all.begins, part.begins);
    append(all.ends, part.ends);
    all.sentence_ends.push_back(all.scores.size());
  }
  return all;
}

CandidateFeatures Decoder::features(std::span<const Sentence> sentences,
                                    const Candidates& candidates, const Call& call) {
  const std::shared_lock rules(rules_mutex_);
  const Task task = task_for(call);
  const auto width = static_cast<std::size_t>(model_.dense);
  CandidateFeatures out;
  out.dense.resize(candidates.scores.size() * width);
  std::vector<std::vector<Firing>> firings(candidates.scores.size());
  parallel_for(sentences.size(), call.threads, [&](std::size_t s) {
    std::vector<Phrase> phrases;
    for (std::size_t c = s == 0 ? 0 : candidates.sentence_ends[s - 1];
         c < candidates.sentence_ends[s]; ++c) {
      read_phrases(candidates, c, phrases);
      add_features(task, sentences[s], phrases, {&out.dense[c * width], width}, firings[c]);
    }
  });
  std::vector<std::uint32_t> rows;
  std::vector<FeatureId> ids;
  std::vector<double> values;
  for (std::uint32_t row = 0; row < firings.size(); ++row) {
    for (const Firing& firing : firings[row]) {
      const std::array<std::uint32_t, 3> key{firing.family, firing.a, firing.b};
      rows.push_back(row);
      ids.push_back(firing.family == kNone
                        ? static_cast<FeatureId>(firing.a)
                        : features_.intern({key.data(), firing.b == kNone ? 2u : 3u}));
      values.push_back(firing.value);
    }
  }
  out.sparse = features::collect(firings.size(), rows, ids, values);
  return out;
}

std::vector<RuleId> Decoder::unknown_rules(std::span<const Sentence> sentences,
                                           std::uint32_t longest) {
  const std::shared_lock rules(rules_mutex_);
  std::vector<RuleId> found;
  std::unordered_set<RuleId> seen;
  const auto add = [&](std::span<const rules::RuleRange> of_tables) {
    for (std::size_t t = 0; t < of_tables.size(); ++t)
      for (std::uint64_t row = of_tables[t].begin; row < of_tables[t].end; ++row) {
        const RuleId rule = model_.tables[t].first_rule + static_cast<RuleId>(row);
        if (rule_features_.find(rule) == kNone && seen.insert(rule).second) found.push_back(rule);
      }
  };
  if (prefixes_) {
    RuleTrie trie(model_, *prefixes_);
    for (const Sentence& sentence : sentences) match_rules(trie, model_, sentence.words, longest);
    for (std::uint32_t node = 0; node < trie.size(); ++node) add(trie.rules(node));
    return found;
  }
  std::vector<rules::RuleRange> of_tables(model_.tables.size());
  for (const Sentence& sentence : sentences) {
    for (std::size_t begin = 0; begin < sentence.words.size(); ++begin) {
      const std::size_t limit = std::min<std::size_t>(sentence.words.size(), begin + longest);
      for (std::size_t end = begin + 1; end <= limit; ++end) {
        for (std::size_t t = 0; t < of_tables.size(); ++t)
          of_tables[t] = model_.tables[t].table->find(sentence.words.subspan(begin, end - begin));
        add(of_tables);
      }
    }
  }
  return found;
}

void Decoder::add_rules(const RuleFeatures::Batch& batch) {
  const std::lock_guard rules(rules_mutex_);
  rule_features_.add(batch, model_);
}

std::vector<WordId> Decoder::targets(std::span<const Sentence> sentences,
                                     const Candidates& candidates,
                                     std::vector<std::uint64_t>& ends) const {
  std::vector<WordId> words;
  std::vector<Phrase> phrases;
  std::size_t candidate = 0;
  for (std::size_t s = 0; s < sentences.size(); ++s)
    for (; candidate < candidates.sentence_ends[s]; ++candidate) {
      read_phrases(candidates, candidate, phrases);
      add_words(model_, sentences[s], phrases, words);
      ends.push_back(words.size());
    }
  return words;
}

std::vector<std::uint8_t> Decoder::known_words(std::span<const WordId> words) const {
  std::vector<std::uint8_t> known(words.size());
  for (std::size_t i = 0; i < words.size(); ++i)
    for (const TableUse& use : model_.tables) {
      const auto range = use.table->find(words.subspan(i, 1));
      if (range.begin < range.end) known[i] = 1;
    }
  return known;
}

}  // namespace miriam::search
