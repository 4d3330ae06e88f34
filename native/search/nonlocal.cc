#include "search/nonlocal.hh"

#include <algorithm>

namespace miriam::search {

namespace {

// How a phrase lies to the one before, or to the start of the sentence.
Event event_of(const Step& step) {
  if (step.first) return step.begin == 0 ? Event::monotone : Event::right;
  return phrase_event(step.previous->begin, step.previous->end, step.begin, step.end);
}

}  // namespace

std::vector<std::uint32_t> signed_jump_keys(std::int64_t jump) {
  const auto key = static_cast<std::uint32_t>(static_cast<std::int32_t>(jump));
  if (jump == 0) return {key};
  return {jump < 0 ? kForwards : kBackwards, key};
}

Event phrase_event(std::uint32_t previous_begin, std::uint32_t previous_end, std::uint32_t begin,
                   std::uint32_t end) {
  if (begin == previous_end) return Event::monotone;
  if (end == previous_begin) return Event::swap;
  return begin > previous_end ? Event::right : Event::left;
}

Event open_block_event(const Coverage& before, std::uint32_t previous_begin,
                       std::uint32_t previous_end, std::uint32_t begin, std::uint32_t end) {
  if (begin >= previous_end)
    return begin == previous_end || !before.covers(previous_end) ? Event::monotone : Event::right;
  return end == previous_begin || !before.covers(previous_begin - 1) ? Event::swap : Event::left;
}

BlockStacks::Shift BlockStacks::shift(std::uint32_t stack, std::uint32_t begin, std::uint32_t end) {
  // Before the first phrase lies the start of the sentence.
  Event event = begin == 0 ? Event::monotone : Event::right;
  if (stack != kEmpty) event = phrase_event(blocks_[stack].begin, blocks_[stack].end, begin, end);
  while (stack != kEmpty) {
    const Block& top = blocks_[stack];
    if (begin == top.end)
      begin = top.begin;
    else if (end == top.begin)
      end = top.end;
    else
      break;
    stack = top.below;
  }
  return {event, blocks_.intern({begin, end, stack})};
}

NonLocal::NonLocal(const Task& task, const Sentence& sentence, std::span<LmCache> lms,
                   const OptionCache& options)
    : task_(task),
      sentence_(sentence),
      lms_(lms),
      options_(options),
      distortion_(task.weights[task.model->distortion]),
      boundary_memo_(task.model->boundaries.size()) {
  const Model& model = *task.model;
  for (const LanguageModelUse& lm : model.lms) lm_weights_.push_back(task.weights[lm.feature]);
  const auto use = [&](Neighbour neighbour, bool with_next) {
    (neighbour == Neighbour::phrase ? uses_phrase_ : uses_block_) = true;
    uses_next_ = uses_next_ || with_next;
  };
  for (const TableUse& table : model.tables)
    for (const OrientationScore& o : table.orientations) use(o.neighbour, o.with_next);
  for (const OrientationTemplate& o : model.orientations) use(o.neighbour, true);
  if (model.signed_distortion.number >= 0) {
    const auto words = static_cast<std::int64_t>(sentence.words.size());
    for (std::int64_t jump = -words; jump <= words; ++jump) {
      double score = 0;
      for (const std::uint32_t key : signed_jump_keys(jump))
        score += keyed(model.signed_distortion, {key});
      signed_jumps_.push_back(score);
    }
  }
  flag_scores_.resize(std::size_t{1} << model.adjacent.size());
  for (std::size_t set = 0; set < flag_scores_.size(); ++set)
    for (std::size_t bit = 0; bit < model.adjacent.size(); ++bit)
      if ((set >> bit & 1) != 0) flag_scores_[set] += task.weights[model.adjacent[bit]];
  adjacent_in_domain_ = task.weight(model.adjacent_in_domain);
  const auto place = [this](std::size_t& where, std::size_t count) {
    where = size_;
    size_ += count;
  };
  size_ = lms.size();
  const auto place_orientation = [&] { place(orientation_, uses_phrase_ || uses_next_ ? 2 : 0); };
  const auto place_boundary = [&] { place(boundary_, model.boundaries.size()); };
  if (!task.settings.ignore_orientation) place_orientation();
  if (!task.settings.ignore_boundary) place_boundary();
  place(block_, uses_block_ ? 1 : 0);
  uses_flags_ = !model.adjacent.empty() || model.adjacent_in_domain.id != kNoFeature;
  place(flags_, uses_flags_ ? 1 : 0);
  place(target_, sentence.target_use == Target::open ? 0 : 1);
  place(user_, task.user == nullptr ? 0 : 1);
  compared_ = size_;  // what is ignored comes last
  if (task.settings.ignore_orientation) place_orientation();
  if (task.settings.ignore_boundary) place_boundary();
}

void NonLocal::begin(std::uint32_t* state) const {
  for (std::size_t l = 0; l < lms_.size(); ++l) state[l] = lms_[l].begin();
  if (uses_phrase_ || uses_next_) {
    state[orientation_] = kNone;
    state[orientation_ + 1] = 0;
  }
  if (uses_block_) state[block_] = BlockStacks::kEmpty;
  for (std::size_t b = 0; b < boundary_memo_.size(); ++b)
    state[boundary_ + b] = task_.model->boundaries[b].begin_key;
  if (uses_flags_) state[flags_] = 0;
  if (sentence_.target_use != Target::open) state[target_] = 0;
  if (task_.user != nullptr) state[user_] = task_.user->begin(sentence_);
}

double NonLocal::jump(std::uint32_t last_end, std::uint32_t begin) const {
  const std::int64_t jump = std::int64_t{last_end} - std::int64_t{begin};
  double score = -distortion_ * static_cast<double>(jump < 0 ? -jump : jump);
  if (!signed_jumps_.empty())
    score += signed_jumps_[static_cast<std::size_t>(
        jump + static_cast<std::int64_t>(sentence_.words.size()))];
  return score;
}

// Back to the first gap, then over each covered stretch: what monotone completion costs
// (Moore and Quirk 2007).
double NonLocal::future_jumps(const Coverage& coverage, std::uint32_t last_end) const {
  if (coverage.gap() == sentence_.words.size()) return 0;
  const std::uint32_t gap = coverage.gap();
  const std::uint32_t back = last_end > gap ? last_end - gap : gap - last_end;
  std::uint32_t over = coverage.ahead();
  if (coverage.end() == sentence_.words.size()) {
    // Nothing follows the last stretch: no need to jump over it.
    std::uint32_t last = gap;
    coverage.for_each_gap([&](std::uint32_t, std::uint32_t end) { last = end; });
    over -= coverage.end() - last;
  }
  return -distortion_ * static_cast<double>(back + over);
}

double NonLocal::usual_gain() const {
  constexpr double kNats = 1;
  double gain = 0;
  for (const double weight : lm_weights_) gain += kNats * weight;
  return gain;
}

bool NonLocal::extend(const Step& step, const std::uint32_t* state, std::uint32_t* next,
                      double& score) {
  const Option& option = options_[step.option];
  score += option.score;
  const LmCache::Phrase* phrase = options_.lm(step.option);
  for (std::size_t l = 0; l < lms_.size(); ++l) {
    const LmCache::Extension& extension = lms_[l].extend(state[l], phrase[l].prefix);
    score += lm_weights_[l] * extension.gain;
    next[l] = extension.right == kNone ? phrase[l].right : extension.right;
  }
  if (uses_phrase_ || uses_block_) orient(step, state, next, score);
  for (std::size_t b = 0; b < boundary_memo_.size(); ++b) {
    const std::uint32_t* keys = options_.boundary(step.option) + 2 * b;
    const std::uint32_t before = state[boundary_ + b];
    if (keys[0] != kNone) score += boundary(b, before, keys[0]);
    next[boundary_ + b] = keys[1] == kNone ? before : keys[1];
  }
  if (uses_flags_) {
    const std::uint32_t both = state[flags_] & option.flags;
    score += flag_scores_[both & (kInDomain - 1)];
    if ((both & kInDomain) != 0) score += adjacent_in_domain_;
    next[flags_] = option.flags;
  }
  if (sentence_.target_use != Target::open) {
    next[target_] = state[target_];
    if (!follow(step, next[target_])) return false;
  }
  if (task_.user != nullptr) {
    const UserFeatures::Step user =
        task_.user->extend(state[user_], option.rule, step.begin, step.end);
    score += user.score;
    next[user_] = user.state;
  }
  return true;
}

double NonLocal::orientation_estimate(const Step& step, const std::uint32_t* state) const {
  if (!uses_phrase_ && !uses_block_) return 0;
  const auto event = static_cast<std::size_t>(event_of(step));
  double score = 0;
  for (const auto& scores : options_.row(options_[step.option].previous).scores)
    score += scores[event];
  if (!step.first && uses_next_)
    for (const auto& scores : options_.row(state[orientation_ + 1]).scores) score += scores[event];
  return score;
}

void NonLocal::orient(const Step& step, const std::uint32_t* state, std::uint32_t* next,
                      double& score) {
  const Option& option = options_[step.option];
  const auto& previous = options_.row(option.previous).scores;
  const Hypothesis& last = *step.previous;
  constexpr auto kPhrase = static_cast<std::size_t>(Neighbour::phrase);
  constexpr auto kBlock = static_cast<std::size_t>(Neighbour::block);
  if (uses_phrase_) {
    const Event event = event_of(step);
    score += previous[kPhrase][static_cast<std::size_t>(event)];
    if (!step.first && uses_next_)
      score +=
          options_.row(state[orientation_ + 1]).scores[kPhrase][static_cast<std::size_t>(event)];
  }
  if (uses_block_) {
    const BlockStacks::Shift shift = stacks_.shift(state[block_], step.begin, step.end);
    score += previous[kBlock][static_cast<std::size_t>(shift.event)];
    next[block_] = shift.stack;
    if (!step.first && uses_next_) {
      const Event event = open_block_event(step.before, last.begin, last.end, step.begin, step.end);
      score +=
          options_.row(state[orientation_ + 1]).scores[kBlock][static_cast<std::size_t>(event)];
    }
  }
  if (uses_phrase_ || uses_next_) {
    // Nothing can be swapped with this phrase once the word before it is covered.
    const bool swappable = step.begin > 0 && !step.after.covers(step.begin - 1);
    next[orientation_] = swappable ? step.begin : kNone;
    next[orientation_ + 1] = option.next;
  }
}

double NonLocal::boundary(std::size_t index, std::uint32_t right, std::uint32_t left) {
  return boundary_memo_[index].get(
      right, left, [&] { return keyed(task_.model->boundaries[index].family, {right, left}); });
}

double NonLocal::keyed(const KeyedFamily& family, std::initializer_list<std::uint32_t> key) const {
  std::array<std::uint32_t, 3> items{static_cast<std::uint32_t>(family.number)};
  std::copy(key.begin(), key.end(), items.begin() + 1);
  return task_.weight({task_.known->find({items.data(), 1 + key.size()}), family.stride});
}

bool NonLocal::follow(const Step& step, std::uint32_t& position) const {
  const std::span<const WordId> wanted = sentence_.target;
  for (const WordId word : target_of(*task_.model, sentence_, options_[step.option].rule)) {
    if (position == wanted.size()) return sentence_.target_use == Target::prefix;
    if (wanted[position] != word) return false;
    ++position;
  }
  return true;
}

bool NonLocal::finish(const std::uint32_t* state, double& score) {
  if (sentence_.target_use != Target::open && state[target_] != sentence_.target.size())
    return false;
  for (std::size_t l = 0; l < lms_.size(); ++l) score += lm_weights_[l] * lms_[l].finish(state[l]);
  for (std::size_t b = 0; b < boundary_memo_.size(); ++b)
    score += boundary(b, state[boundary_ + b], task_.model->boundaries[b].end_key);
  if (task_.user != nullptr) score += task_.user->finish(state[user_]);
  return true;
}

}  // namespace miriam::search
