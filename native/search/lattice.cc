#include "search/lattice.hh"

#include <algorithm>

namespace miriam::search {

OptionCache::OptionCache(const Task& task, std::span<LmCache> lms) : task_(task), lms_(lms) {
  rows_.intern({});  // row 0: no scores
}

OptionRange OptionCache::phrase(std::span<const WordId> words) {
  const auto& tables = task_.model->tables;
  key_.clear();
  bool found = false;
  for (const TableUse& use : tables) {
    const auto range = considered(use.table->find(words), task_.settings.considered);
    const bool here = range.begin < range.end;
    key_.push_back(here ? static_cast<std::uint32_t>(range.begin) : kNone);
    key_.push_back(here ? static_cast<std::uint32_t>(range.end) : kNone);
    found = found || here;
  }
  if (!found) return {};
  const Sentence& sentence = *task_.sentence;
  key_.insert(key_.end(), sentence.totals.begin(), sentence.totals.end());
  key_.insert(key_.end(), sentence.domains.begin(), sentence.domains.end());
  const auto fresh = static_cast<std::uint32_t>(phrases_.size());
  const std::uint32_t number = phrases_.intern(key_);
  if (number != fresh) return ranges_[number];
  found_.clear();
  for (std::size_t t = 0; t < tables.size(); ++t) {
    if (key_[2 * t] == kNone) continue;
    std::uint32_t known = kNone;
    for (std::uint32_t row = key_[2 * t]; row < key_[2 * t + 1]; ++row) {
      const RuleId rule = tables[t].first_rule + row;
      known = task_.features->find_behind(known, rule);
      found_.push_back(score({rule, known, &tables[t]}, tables[t].table->target(row)));
    }
  }
  keep_best();
  ranges_.push_back(append_best());
  kept_ = options_.size();
  return ranges_.back();
}

OptionRange OptionCache::mixed(OptionRange others, std::span<const RuleId> extra) {
  found_.clear();
  for (std::uint32_t o = others.first; o < others.first + others.count; ++o) {
    const RuleId rule = options_[o].rule;
    const RuleUse use{rule, task_.features->find(rule), task_.model->table_of(rule)};
    found_.push_back({options_[o].score, use, target_of(*task_.model, *task_.sentence, rule)});
  }
  for (const RuleId rule : extra) {
    const ExtraRule& made = task_.sentence->extra[rule - task_.sentence->first_extra];
    const RuleUse use{rule, task_.extra_features->find(rule), nullptr, made.unknown};
    found_.push_back(score(use, made.target));
    add_models(found_.back());
  }
  return append_best();
}

void OptionCache::forget_extra() {
  options_.resize(kept_);
  lm_.resize(kept_ * lms_.size());
  boundary_.resize(kept_ * 2 * task_.model->boundaries.size());
}

OptionCache::Scored OptionCache::score(const RuleUse& use, std::span<const WordId> target) {
  return {local_score(task_, use, target.size()), use, target};
}

void OptionCache::add_models(Scored& scored) const {
  for (std::size_t l = 0; l < lms_.size(); ++l)
    scored.score += task_.weights[task_.model->lms[l].feature] * lms_[l].estimate(scored.target);
}

// Leaves the best of found_, which language models have not scored yet. A log probability is never
// above 0: where no weight is below 0, a rule that is worse without it than the worst that is kept
// need not be asked about.
void OptionCache::keep_best() {
  const std::size_t limit = task_.settings.rule_limit;
  const bool bounded = std::ranges::all_of(
      task_.model->lms, [&](const auto& lm) { return task_.weights[lm.feature] >= 0; });
  if (bounded && found_.size() > limit) std::sort(found_.begin(), found_.end());
  std::size_t kept = 0;  // in front of found_, the worst first
  for (Scored scored : found_) {
    if (kept == limit && bounded && !(scored < found_.front())) break;
    add_models(scored);
    if (kept == limit) {
      if (!(scored < found_.front())) continue;
      std::pop_heap(found_.begin(), found_.begin() + static_cast<std::ptrdiff_t>(kept--));
    }
    found_[kept++] = scored;
    std::push_heap(found_.begin(), found_.begin() + static_cast<std::ptrdiff_t>(kept));
  }
  found_.erase(found_.begin() + static_cast<std::ptrdiff_t>(kept), found_.end());
}

OptionRange OptionCache::append_best() {
  std::sort(found_.begin(), found_.end());
  const auto first = static_cast<std::uint32_t>(options_.size());
  for (const Scored& scored : found_) append(scored);
  return {first, static_cast<std::uint32_t>(found_.size())};
}

void OptionCache::append(const Scored& scored) {
  const Model& model = *task_.model;
  Option option;
  option.score = scored.score;
  option.rule = scored.use.rule;
  option.target_length = static_cast<std::uint16_t>(scored.target.size());
  const RuleFeatures& features = task_.rule_features(scored.use.rule);
  if (const std::uint32_t row = scored.use.row; row != kNone) {
    const auto keys = features[row].boundary_keys;
    boundary_.insert(boundary_.end(), keys.begin(), keys.end());
    option.flags = features[row].flags;
    if ((features[row].domains & task_.sentence->domain_bits) != 0) option.flags |= kInDomain;
  } else {
    boundary_.insert(boundary_.end(), 2 * model.boundaries.size(), kNone);
  }
  orient(scored, option);
  for (LmCache& lm : lms_) lm_.push_back(lm.prepare(scored.target));
  options_.push_back(option);
}

void OptionCache::orient(const Scored& scored, Option& option) {
  const Weights& weights = task_.weights;
  OrientationRow previous, next;
  const auto add = [&](Neighbour neighbour, bool with_next, std::uint8_t events, double score) {
    auto& scores = (with_next ? next : previous).scores[static_cast<std::size_t>(neighbour)];
    for (std::size_t event = 0; event < kEvents; ++event)
      if ((events >> event & 1) != 0) scores[event] += score;
  };
  if (const TableUse* table = scored.use.table; table != nullptr)
    for (const OrientationScore& o : table->orientations)
      add(o.neighbour, o.with_next, o.events,
          weights[o.feature] * table->score(scored.use.rule, o.column));
  if (scored.use.row != kNone) {
    const auto keys = task_.rule_features(scored.use.rule)[scored.use.row].orientation_keys;
    for (std::size_t t = 0; t < keys.size(); ++t) {
      if (keys[t] == kNoFeature) continue;
      const OrientationTemplate& use = task_.model->orientations[t];
      for (std::size_t c = 0; c < use.events.size(); ++c)
        add(use.neighbour, c >= 4, use.events[c],
            task_.weight({keys[t] + static_cast<FeatureId>(c), use.stride}));
    }
  }
  option.previous = rows_.intern(previous);
  option.next = rows_.intern(next);
}

Lattice::Lattice(const Task& task, const Sentence& sentence, OptionCache& options)
    : words_(static_cast<std::uint32_t>(sentence.words.size())),
      width_(task.settings.max_phrase),
      longest_(words_, 0) {
  for (const ExtraRule& extra : sentence.extra)
    width_ = std::max<std::uint32_t>(width_, extra.end - extra.begin);
  ranges_.resize(std::size_t{words_} * width_);
  std::vector<bool> closed(words_, false);  // words that only exclusive rules may touch
  for (const ExtraRule& extra : sentence.extra)
    if (extra.exclusive) std::fill(closed.begin() + extra.begin, closed.begin() + extra.end, true);
  for (std::uint32_t begin = 0; begin < words_; ++begin) {
    const std::uint32_t limit = std::min(words_, begin + task.settings.max_phrase);
    for (std::uint32_t end = begin + 1; end <= limit; ++end) {
      if (closed[end - 1] || sentence.words[end - 1] == lexicon::kNoWord) break;
      ranges_[begin * width_ + end - begin - 1] =
          options.phrase(sentence.words.subspan(begin, end - begin));
    }
  }
  place_extra(sentence, options, closed);
  const auto crosses = [](std::uint32_t begin, std::uint32_t end, const Zone& zone) {
    return begin < zone.end && zone.begin < end && !(begin <= zone.begin && zone.end <= end) &&
           !(zone.begin <= begin && end <= zone.end);
  };
  for (std::uint32_t begin = 0; begin < words_; ++begin) {
    for (std::uint32_t end = begin + 1; end <= std::min(words_, begin + width_); ++end) {
      OptionRange& range = ranges_[begin * width_ + end - begin - 1];
      for (const Wall& wall : sentence.walls)
        if (begin < wall.at && wall.at < end) range = {};
      for (const Zone& zone : sentence.zones)
        if (crosses(begin, end, zone)) range = {};
      if (range.count > 0) longest_[begin] = end - begin;
    }
  }
}

void Lattice::place_extra(const Sentence& sentence, OptionCache& options,
                          const std::vector<bool>& closed) {
  std::vector<RuleId> order(sentence.extra.size());
  for (std::size_t i = 0; i < order.size(); ++i)
    order[i] = sentence.first_extra + static_cast<RuleId>(i);
  const auto span_of = [&](RuleId rule) {
    const ExtraRule& extra = sentence.extra[rule - sentence.first_extra];
    return std::pair(extra.begin, extra.end);
  };
  std::ranges::stable_sort(order, {}, span_of);
  std::vector<RuleId> here;
  for (std::size_t i = 0; i < order.size();) {
    const auto [begin, end] = span_of(order[i]);
    OptionRange& range = ranges_[std::size_t{begin} * width_ + end - begin - 1];
    here.clear();
    const bool exclusive =
        std::find(closed.begin() + begin, closed.begin() + end, true) != closed.begin() + end;
    for (; i < order.size() && span_of(order[i]) == std::pair(begin, end); ++i)
      here.push_back(order[i]);
    // The copy of an unknown word gives way to any rule for the word alone.
    const bool known = range.count > 0 || here.size() > 1;
    std::erase_if(here, [&](RuleId rule) {
      const ExtraRule& extra = sentence.extra[rule - sentence.first_extra];
      return (extra.unknown && known) || (exclusive && !extra.exclusive);
    });
    if (!here.empty()) range = options.mixed(exclusive ? OptionRange{} : range, here);
  }
}

OptionRange Lattice::at(std::uint32_t begin, std::uint32_t end) const {
  return ranges_[begin * width_ + end - begin - 1];
}

}  // namespace miriam::search
