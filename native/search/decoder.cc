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

// The pieces of a sentence's candidates, and which of them each candidate has.
struct SentencePieces {
  ValueTable<Piece> pieces;
  features::Rows uses;
  std::vector<std::uint32_t> used;  // of one candidate

  void end_candidate() {
    std::ranges::sort(used);
    for (std::size_t i = 0; i < used.size(); ++i) {
      if (i > 0 && used[i] == used[i - 1]) {
        ++uses.values.back();
      } else {
        uses.ids.push_back(static_cast<FeatureId>(used[i]));
        uses.values.push_back(1);
      }
    }
    uses.ends.push_back(uses.ids.size());
  }
};

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
  for (const std::uint32_t domain : sentence.domains)
    if (domain == 0 || domain > model_.domains)
      throw ConfigError("a sentence of a domain that the model does not have");
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
  std::vector<SentencePieces> parts(sentences.size());
  parallel_for(sentences.size(), call.threads, [&](std::size_t s) {
    std::vector<Phrase> phrases;
    for (std::size_t c = s == 0 ? 0 : candidates.sentence_ends[s - 1];
         c < candidates.sentence_ends[s]; ++c) {
      read_phrases(candidates, c, phrases);
      parts[s].used.clear();
      add_features(task, sentences[s], phrases, {out.dense.data() + c * width, width},
                   parts[s].pieces, parts[s].used);
      parts[s].end_candidate();
    }
  });
  for (std::size_t s = 0; s < parts.size(); ++s) {
    const auto first = static_cast<FeatureId>(out.pieces.ends.size());
    for (std::uint32_t p = 0; p < parts[s].pieces.size(); ++p) {
      add_piece(task, sentences[s], parts[s].pieces[p], features_, out.pieces.ids,
                out.pieces.values);
      out.pieces.ends.push_back(out.pieces.ids.size());
    }
    const std::uint64_t offset = out.uses.ids.size();
    for (const std::uint64_t end : parts[s].uses.ends) out.uses.ends.push_back(offset + end);
    for (const FeatureId piece : parts[s].uses.ids) out.uses.ids.push_back(first + piece);
    out.uses.values.insert(out.uses.values.end(), parts[s].uses.values.begin(),
                           parts[s].uses.values.end());
    out.piece_ends.push_back(out.pieces.ends.size());
  }
  return out;
}

std::vector<RuleId> Decoder::unknown_rules(std::span<const Sentence> sentences,
                                           std::uint32_t longest, std::uint32_t limit) {
  const std::shared_lock rules(rules_mutex_);
  std::vector<RuleId> found;
  std::unordered_set<RuleId> seen;
  const auto add = [&](std::span<const rules::RuleRange> of_tables) {
    for (std::size_t t = 0; t < of_tables.size(); ++t) {
      const rules::RuleRange some = considered(of_tables[t], limit);
      for (std::uint64_t row = some.begin; row < some.end; ++row) {
        const RuleId rule = model_.tables[t].first_rule + static_cast<RuleId>(row);
        if (rule_features_.find(rule) == kNone && seen.insert(rule).second) found.push_back(rule);
      }
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
      const std::size_t last = std::min<std::size_t>(sentence.words.size(), begin + longest);
      for (std::size_t end = begin + 1; end <= last; ++end) {
        for (std::size_t t = 0; t < of_tables.size(); ++t)
          of_tables[t] = model_.tables[t].table->find(sentence.words.subspan(begin, end - begin));
        add(of_tables);
      }
    }
  }
  return found;
}

std::vector<RuleId> Decoder::unknown_of(std::span<const RuleId> some) const {
  const std::shared_lock rules(rules_mutex_);
  std::vector<RuleId> found;
  std::unordered_set<RuleId> seen;
  for (const RuleId rule : some)
    if (rule < model_.rule_count && rule_features_.find(rule) == kNone && seen.insert(rule).second)
      found.push_back(rule);
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
