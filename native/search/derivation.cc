#include "search/derivation.hh"

#include <array>
#include <initializer_list>

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

constexpr std::uint32_t kBlockEvent = 4;  // the bit of a piece's events where that of blocks is

bool fires(Neighbour neighbour, std::uint8_t at, std::uint32_t events) {
  const std::uint32_t event = neighbour == Neighbour::phrase ? events & 15 : events >> kBlockEvent;
  return (at >> event & 1) != 0;
}

class Reckoner {
 public:
  Reckoner(const Task& task, const Sentence& sentence, std::span<double> dense,
           ValueTable<Piece>& pieces, std::vector<std::uint32_t>& used)
      : task_(task),
        model_(*task.model),
        sentence_(sentence),
        dense_(dense),
        pieces_(pieces),
        used_(used) {}

  void reckon(std::span<const Phrase> phrases) {
    for (const Phrase& phrase : phrases) local(phrase);
    const std::size_t pieces = add_words(model_, sentence_, phrases, words_);
    for (const LanguageModelUse& lm : model_.lms) language(lm);
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
    if (id != kNoFeature) dense_[static_cast<std::size_t>(id)] += value;
  }
  void use(const Piece& piece) { used_.push_back(pieces_.intern(piece)); }

  void local(const Phrase& phrase) {
    const std::size_t length =
        pieces_of(model_, target_of(model_, sentence_, phrase.rule)).word_count();
    add(model_.phrase_penalty, 1);
    add(model_.word_penalty, -static_cast<double>(length));
    if (task_.is_extra(phrase.rule) && sentence_.extra[phrase.rule - sentence_.first_extra].unknown)
      add(model_.unknown_word, -1);
    if (const TableUse* table = model_.table_of(phrase.rule); table != nullptr)
      for (const ScoreColumn& score : table->scores)
        add(score.feature, table->score(phrase.rule, score.column));
    const RuleFeatures& features = task_.rule_features(phrase.rule);
    if (const std::uint32_t row = features.find(phrase.rule); row != kNone) {
      const RuleFeatures::Row known = features[row];
      for (std::size_t i = 0; i < known.ids.size() && known.ids[i] < model_.dense; ++i)
        add(known.ids[i], known.values[i]);
      use({Piece::Kind::rule, phrase.rule});
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
    if (model_.signed_distortion.number >= 0)
      use({Piece::Kind::jump, static_cast<std::uint32_t>(static_cast<std::int32_t>(jump))});
  }

  void orient(RuleId rule, bool with_next, Event phrase, Event block) {
    const auto events = static_cast<std::uint32_t>(phrase) | static_cast<std::uint32_t>(block)
                                                                 << kBlockEvent;
    if (const TableUse* table = model_.table_of(rule); table != nullptr)
      for (const OrientationScore& o : table->orientations)
        if (o.with_next == with_next && fires(o.neighbour, o.events, events))
          add(o.feature, table->score(rule, o.column));
    if (!model_.orientations.empty())
      use({Piece::Kind::orientation, rule, with_next ? 1u : 0u, events});
  }

  void boundaries(std::size_t index, std::span<const Phrase> phrases) {
    const BoundaryTemplate& made = model_.boundaries[index];
    const auto number = static_cast<std::uint32_t>(index);
    std::uint32_t right = made.begin_key;
    for (const Phrase& phrase : phrases) {
      const RuleFeatures& features = task_.rule_features(phrase.rule);
      const std::uint32_t row = features.find(phrase.rule);
      if (row == kNone) continue;
      const auto keys = features[row].boundary_keys.subspan(2 * index, 2);
      if (keys[0] != kNone) use({Piece::Kind::boundary, number, right, keys[0]});
      if (keys[1] != kNone) right = keys[1];
    }
    use({Piece::Kind::boundary, number, right, made.end_key});
  }

  void neighbours(std::span<const Phrase> phrases) {
    std::uint8_t before = 0;
    bool in_domain_before = false;
    for (const Phrase& phrase : phrases) {
      const RuleFeatures& features = task_.rule_features(phrase.rule);
      const std::uint32_t row = features.find(phrase.rule);
      const std::uint8_t flags = row == kNone ? std::uint8_t{0} : features[row].flags;
      const bool in_domain = row != kNone && (features[row].domains & sentence_.domain_bits) != 0;
      for (std::size_t bit = 0; bit < model_.adjacent.size(); ++bit)
        if ((before & flags) >> bit & 1) add(model_.adjacent[bit], 1);
      if (in_domain_before && in_domain && model_.adjacent_in_domain.id != kNoFeature)
        use({Piece::Kind::in_domain});
      before = flags;
      in_domain_before = in_domain;
    }
  }

  const Task& task_;
  const Model& model_;
  const Sentence& sentence_;
  std::span<double> dense_;
  ValueTable<Piece>& pieces_;
  std::vector<std::uint32_t>& used_;
  std::vector<WordId> words_;  // of the translation
};

// Writes out what a piece brings.
class PieceFeatures {
 public:
  PieceFeatures(const Task& task, const Sentence& sentence, features::FeatureTable& table,
                std::vector<FeatureId>& ids, std::vector<double>& values)
      : model_(*task.model),
        task_(task),
        sentence_(sentence),
        table_(table),
        ids_(ids),
        values_(values) {}

  void add(const Piece& piece) {
    switch (piece.kind) {
      case Piece::Kind::rule:
        return rule(piece.a);
      case Piece::Kind::orientation:
        return orientation(piece.a, piece.b == 1, piece.c);
      case Piece::Kind::boundary:
        return keyed(model_.boundaries[piece.a].family, {piece.b, piece.c});
      case Piece::Kind::jump:
        for (const std::uint32_t key : signed_jump_keys(static_cast<std::int32_t>(piece.a)))
          keyed(model_.signed_distortion, {key});
        return;
      case Piece::Kind::in_domain:
        return add(model_.adjacent_in_domain, 1);
    }
  }

 private:
  void add(const Feature& feature, double value) {
    if (feature.id == kNoFeature) return;
    ids_.push_back(feature.id);
    values_.push_back(value);
    if (feature.stride == 0) return;
    for (const std::uint32_t domain : sentence_.domains) {
      ids_.push_back(feature.id + static_cast<FeatureId>(domain * feature.stride));
      values_.push_back(value);
    }
  }

  void rule(RuleId rule) {
    const RuleFeatures& features = task_.rule_features(rule);
    const RuleFeatures::Row known = features[features.find(rule)];
    for (std::size_t i = 0; i < known.ids.size(); ++i)
      if (known.ids[i] >= model_.dense) add(known.feature(i), known.values[i]);
    for (std::size_t r = 0; r < sentence_.totals.size(); ++r)
      if (known.counts[r] > 0 && sentence_.totals[r] > 0)
        add(model_.ratios[r], static_cast<double>(known.counts[r]) / sentence_.totals[r]);
    if ((known.domains & sentence_.domain_bits) != 0) add(model_.in_domain, 1);
  }

  void orientation(RuleId rule, bool with_next, std::uint32_t events) {
    const RuleFeatures& features = task_.rule_features(rule);
    const std::uint32_t row = features.find(rule);
    if (row == kNone) return;
    const auto keys = features[row].orientation_keys;
    for (std::size_t t = 0; t < keys.size(); ++t) {
      const OrientationTemplate& use = model_.orientations[t];
      for (std::size_t c = with_next ? 4 : 0; c < (with_next ? 8u : 4u); ++c)
        if (keys[t] != kNoFeature && fires(use.neighbour, use.events[c], events))
          add({keys[t] + static_cast<FeatureId>(c), use.stride}, 1);
    }
  }

  void keyed(const KeyedFamily& family, std::initializer_list<std::uint32_t> key) {
    std::array<std::uint32_t, 3> items{static_cast<std::uint32_t>(family.number)};
    std::copy(key.begin(), key.end(), items.begin() + 1);
    const std::uint32_t members = family.stride == 0 ? 1 : 1 + model_.domains * family.stride;
    add({table_.intern({items.data(), 1 + key.size()}, members), family.stride}, 1);
  }

  const Model& model_;
  const Task& task_;
  const Sentence& sentence_;
  features::FeatureTable& table_;
  std::vector<FeatureId>& ids_;
  std::vector<double>& values_;
};

}  // namespace

std::size_t add_words(const Model& model, const Sentence& sentence, std::span<const Phrase> phrases,
                      std::vector<WordId>& words) {
  return Reader(model, sentence, phrases, words).read();
}

void add_features(const Task& task, const Sentence& sentence, std::span<const Phrase> phrases,
                  std::span<double> dense, ValueTable<Piece>& pieces,
                  std::vector<std::uint32_t>& used) {
  Reckoner(task, sentence, dense, pieces, used).reckon(phrases);
}

void add_piece(const Task& task, const Sentence& sentence, const Piece& piece,
               features::FeatureTable& table, std::vector<FeatureId>& ids,
               std::vector<double>& values) {
  PieceFeatures(task, sentence, table, ids, values).add(piece);
}

}  // namespace miriam::search
