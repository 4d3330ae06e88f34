#include "search/derivation.hh"

#include "search/nonlocal.hh"
#include "search/pieces.hh"

namespace miriam::search {
namespace {

// Reads a derivation, in which a rule comes before those in its gaps, in target order.
class Reader {
 public:
  Reader(const Model& model, const Sentence& sentence, std::span<const Phrase> phrases,
         std::vector<WordId>& words)
      : model_(model), sentence_(sentence), phrases_(phrases), words_(words) {}

  std::size_t read() {
    std::size_t roots = 0;
    for (std::size_t at = 0; at < phrases_.size(); at = read_tree(at)) ++roots;
    return roots;
  }

 private:
  Pieces pieces(std::size_t at) const {
    return pieces_of(model_, target_of(model_, sentence_, phrases_[at].rule));
  }
  // One past the tree that begins with a rule; nothing is read.
  std::size_t behind(std::size_t at) const {
    for (std::size_t open = 1; open > 0 && at < phrases_.size(); ++at)
      open += pieces(at).gap_count - std::size_t{1};
    return at;
  }
  std::size_t read_tree(std::size_t at) {
    if (at >= phrases_.size()) return at;
    const Pieces rule = pieces(at);
    std::array<std::size_t, rules::kMaxGaps> trees{};
    std::size_t next = at + 1;
    for (std::size_t g = 0; g < rule.gap_count; ++g) {
      trees[g] = next;
      next = behind(next);
    }
    for (std::size_t p = 0; p <= rule.gap_count; ++p) {
      words_.insert(words_.end(), rule.words[p].begin(), rule.words[p].end());
      if (p < rule.gap_count) read_tree(trees[rule.gaps[p]]);
    }
    return next;
  }

  const Model& model_;
  const Sentence& sentence_;
  std::span<const Phrase> phrases_;
  std::vector<WordId>& words_;
};

class Reckoner {
 public:
  Reckoner(const Task& task, const Sentence& sentence, std::span<double> dense,
           std::vector<Firing>& firings)
      : task_(task), model_(*task.model), sentence_(sentence), dense_(dense), firings_(firings) {}

  void reckon(std::span<const Phrase> phrases) {
    for (const Phrase& phrase : phrases) local(phrase);
    const std::size_t pieces = add_words(model_, sentence_, phrases, words_);
    for (const LanguageModelUse& lm : model_.lms) language(lm);
    ratios(phrases);
    if (model_.hierarchical) {
      if (pieces > 0) add(model_.glue, -static_cast<double>(pieces - 1));
      return;
    }
    order(phrases);
    for (std::size_t b = 0; b < model_.boundaries.size(); ++b) boundaries(b, phrases);
    neighbours(phrases);
  }

 private:
  void add(FeatureId id, double value) {
    if (id == kNoFeature) return;
    if (id < model_.dense)
      dense_[static_cast<std::size_t>(id)] += value;
    else
      firings_.push_back({kNone, static_cast<std::uint32_t>(id), kNone, value});
  }
  bool is_extra(RuleId rule) const { return rule >= model_.rule_count; }
  const RuleFeatures& features(RuleId rule) const {
    return is_extra(rule) ? *task_.extra_features : *task_.features;
  }

  void local(const Phrase& phrase) {
    const std::size_t length =
        pieces_of(model_, target_of(model_, sentence_, phrase.rule)).word_count();
    add(model_.phrase_penalty, 1);
    add(model_.word_penalty, -static_cast<double>(length));
    if (is_extra(phrase.rule) && sentence_.extra[phrase.rule - sentence_.first_extra].unknown)
      add(model_.unknown_word, -1);
    if (const TableUse* table = model_.table_of(phrase.rule); table != nullptr)
      for (const ScoreColumn& score : table->scores)
        add(score.feature, table->score(phrase.rule, score.column));
    if (const std::uint32_t row = features(phrase.rule).find(phrase.rule); row != kNone) {
      const RuleFeatures::Row known = features(phrase.rule)[row];
      for (std::size_t i = 0; i < known.ids.size(); ++i)
        if (known.ids[i] < model_.dense) add(known.ids[i], known.values[i]);
    }
  }

  void language(const LanguageModelUse& lm) {
    lm::State state = lm.model->begin();
    lm::State next;
    double total = 0;
    for (const WordId word : words_) {
      total += static_cast<double>(lm.model->score(state, task_.lm_id(lm, word), next));
      state = next;
    }
    total += static_cast<double>(lm.model->score(state, lm::kEnd, next));
    add(lm.feature, total);
  }

  // Jumps and orientations.
  void order(std::span<const Phrase> phrases) {
    Coverage coverage;
    BlockStacks stacks;
    std::uint32_t stack = BlockStacks::kEmpty;
    std::uint32_t last_end = 0;
    const Phrase* previous = nullptr;
    for (const Phrase& phrase : phrases) {
      jump(std::int64_t{last_end} - std::int64_t{phrase.begin});
      const Event at_start = phrase.begin == 0 ? Event::monotone : Event::right;
      const Event event = previous == nullptr ? at_start
                                              : phrase_event(previous->begin, previous->end,
                                                             phrase.begin, phrase.end);
      const BlockStacks::Shift shift = stacks.shift(stack, phrase.begin, phrase.end);
      orient(phrase.rule, false, event, shift.event);
      if (previous != nullptr)
        orient(
            previous->rule, true, event,
            open_block_event(coverage, previous->begin, previous->end, phrase.begin, phrase.end));
      stack = shift.stack;
      coverage = coverage.with(phrase.begin, phrase.end);
      last_end = phrase.end;
      previous = &phrase;
    }
  }

  void jump(std::int64_t jump) {
    add(model_.distortion, -static_cast<double>(jump < 0 ? -jump : jump));
    if (model_.signed_distortion < 0) return;
    for (const std::uint32_t key : signed_jump_keys(jump))
      firings_.push_back({static_cast<std::uint32_t>(model_.signed_distortion), key});
  }

  void orient(RuleId rule, bool with_next, Event phrase, Event block) {
    const auto fires = [&](Neighbour neighbour, std::uint8_t events) {
      const Event event = neighbour == Neighbour::phrase ? phrase : block;
      return (events >> static_cast<unsigned>(event) & 1) != 0;
    };
    if (const TableUse* table = model_.table_of(rule); table != nullptr)
      for (const OrientationScore& o : table->orientations)
        if (o.with_next == with_next && fires(o.neighbour, o.events))
          add(o.feature, table->score(rule, o.column));
    const std::uint32_t row = features(rule).find(rule);
    if (row == kNone) return;
    const auto keys = features(rule)[row].orientation_keys;
    for (std::size_t t = 0; t < keys.size(); ++t) {
      const OrientationTemplate& use = model_.orientations[t];
      for (std::size_t c = with_next ? 4 : 0; c < (with_next ? 8u : 4u); ++c)
        if (keys[t] != kNoFeature && fires(use.neighbour, use.events[c]))
          add(keys[t] + static_cast<FeatureId>(c), 1);
    }
  }

  void boundaries(std::size_t index, std::span<const Phrase> phrases) {
    const BoundaryTemplate& use = model_.boundaries[index];
    const auto family = static_cast<std::uint32_t>(use.family);
    std::uint32_t right = use.begin_key;
    for (const Phrase& phrase : phrases) {
      const std::uint32_t row = features(phrase.rule).find(phrase.rule);
      if (row == kNone) continue;
      const auto keys = features(phrase.rule)[row].boundary_keys.subspan(2 * index, 2);
      if (keys[0] != kNone) firings_.push_back({family, right, keys[0]});
      if (keys[1] != kNone) right = keys[1];
    }
    firings_.push_back({family, right, use.end_key});
  }

  void neighbours(std::span<const Phrase> phrases) {
    std::uint8_t before = 0;
    for (const Phrase& phrase : phrases) {
      const std::uint32_t row = features(phrase.rule).find(phrase.rule);
      const std::uint8_t flags = row == kNone ? std::uint8_t{0} : features(phrase.rule)[row].flags;
      for (std::size_t bit = 0; bit < model_.adjacent.size(); ++bit)
        if ((before & flags) >> bit & 1) add(model_.adjacent[bit], 1);
      before = flags;
    }
  }

  void ratios(std::span<const Phrase> phrases) {
    for (std::size_t r = 0; r < sentence_.totals.size(); ++r) {
      std::uint32_t count = 0;
      for (const Phrase& phrase : phrases)
        if (const std::uint32_t row = features(phrase.rule).find(phrase.rule); row != kNone)
          count += features(phrase.rule)[row].counts[r];
      if (count > 0 && sentence_.totals[r] > 0)
        add(model_.ratios[r], static_cast<double>(count) / sentence_.totals[r]);
    }
  }

  const Task& task_;
  const Model& model_;
  const Sentence& sentence_;
  std::span<double> dense_;
  std::vector<Firing>& firings_;
  std::vector<WordId> words_;  // of the translation
};

}  // namespace

std::size_t add_words(const Model& model, const Sentence& sentence, std::span<const Phrase> phrases,
                      std::vector<WordId>& words) {
  return Reader(model, sentence, phrases, words).read();
}

void add_features(const Task& task, const Sentence& sentence, std::span<const Phrase> phrases,
                  std::span<double> dense, std::vector<Firing>& firings) {
  Reckoner(task, sentence, dense, firings).reckon(phrases);
}

}  // namespace miriam::search
