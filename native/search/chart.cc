#include "search/chart.hh"

#include <algorithm>

namespace miriam::search {
namespace {

// How much of what an entry gained its neighbours are expected to gain, and a joint of a language
// model: as in phrase-based search (docs/rooms/search.md).
constexpr double kCarried = 0.3;
constexpr double kNatsAJoint = 1;

}  // namespace

Chart::Chart(const Task& task, const Sentence& sentence, RuleTrie& trie, ChartOptions& options,
             std::span<LmCache> lms, ChartGraph& graph)
    : task_(task),
      sentence_(sentence),
      trie_(trie),
      options_(options),
      lms_(lms),
      graph_(graph),
      words_(static_cast<std::uint32_t>(sentence.words.size())),
      width_(task.settings.max_span),
      glue_weight_(task.weights[task.model->glue]),
      closed_(words_, false),
      dotted_(trie, *task.model) {
  for (const LanguageModelUse& lm : task.model->lms) {
    lm_weights_.push_back(task.weights[lm.feature]);
    usual_gain_ += kNatsAJoint * lm_weights_.back();
  }
  for (const ExtraRule& extra : sentence.extra) {
    width_ = std::max<std::uint32_t>(width_, extra.end - extra.begin);
    if (extra.exclusive)
      std::fill(closed_.begin() + extra.begin, closed_.begin() + extra.end, true);
  }
  width_ = std::min(width_, words_);
  extras_.resize(std::size_t{words_} * width_);
  for (std::size_t e = 0; e < sentence.extra.size(); ++e)
    extras_[span_cell(sentence.extra[e].begin, sentence.extra[e].end)].push_back(
        sentence.first_extra + static_cast<RuleId>(e));
  cells_.resize(std::size_t{words_} * width_ + words_ + 1);
  if (sentence.target_use != Target::open) wanted_.emplace(sentence);
  state_.resize(2 * lms.size() + (wanted_ ? 1 : 0));
}

std::vector<Goal> Chart::run() {
  start();
  for (std::uint32_t begin = words_; begin-- > 0;) cover(begin);
  for (std::uint32_t end = 1; end <= words_; ++end) glue(end);
  std::vector<Goal> goals;
  const Cell& last = cells_[glue_cell(words_)];
  for (std::uint32_t rank = 0; rank < last.count; ++rank) {
    const std::uint32_t node = item(glue_cell(words_), rank);
    const std::uint32_t* state = graph_.state(node);
    if (wanted_ && !wanted_->done(state[2 * lms_.size()])) continue;
    double score = graph_.nodes[node].score;
    for (std::size_t l = 0; l < lms_.size(); ++l)
      score += lm_weights_[l] * lms_[l].finish(state[2 * l + 1]);
    goals.push_back({node, score});
  }
  std::ranges::stable_sort(goals, std::greater{}, &Goal::score);
  return goals;
}

// The beginning of the sentence that has no words.
void Chart::start() {
  graph_.clear(state_.size(), state_.size());
  for (std::size_t l = 0; l < lms_.size(); ++l) {
    state_[2 * l] = 0;
    state_[2 * l + 1] = lms_[l].begin();
  }
  if (wanted_) state_.back() = 0;
  ChartItem empty;
  empty.cell = glue_cell(0);
  graph_.enter(empty, state_.data(), items_, false, false);
  cells_[empty.cell] = {0, 1};
  graph_.order.push_back(0);
}

// Fills the cells of all spans that begin at a word.
void Chart::cover(std::uint32_t begin) {
  dotted_.start(begin);
  for (std::uint32_t end = begin + 1; end <= std::min(words_, begin + width_); ++end) {
    cubes_.clear();
    const bool within = end - begin <= task_.settings.max_span;
    if (within)
      dotted_.reach(end, closed_[end - 1] ? lexicon::kNoWord : sentence_.words[end - 1],
                    [this](std::uint32_t b, std::uint32_t e) { return filled(b, e); });
    if (walled(begin, end)) break;
    if (within)
      for (const DottedRules::Dotted& dotted : dotted_.ending(end)) {
        const OptionRange options = options_.at(dotted.node);
        if (options.count == 0 || !keeps_zones(begin, end, dotted)) continue;
        Cube cube{options, {kNone, kNone}, 0};
        for (std::size_t g = 0; g < dotted.gap_count; ++g)
          cube.parts[g] = span_cell(dotted.gap_begins[g], dotted.gap_ends[g]);
        cubes_.push_back(cube);
      }
    add_extra(begin, end);
    fill(span_cell(begin, end), begin, end);
    if (within && filled(begin, end)) dotted_.bridge(end);
  }
}

void Chart::glue(std::uint32_t end) {
  cubes_.clear();
  for (std::uint32_t begin = end - std::min(end, width_); begin < end; ++begin)
    if (filled(begin, end) && cells_[glue_cell(begin)].count > 0)
      cubes_.push_back(
          {{}, {glue_cell(begin), span_cell(begin, end)}, begin > 0 ? -glue_weight_ : 0});
  fill(glue_cell(end), 0, end);
}

// Whether a wall is within the span.
bool Chart::walled(std::uint32_t begin, std::uint32_t end) const {
  return std::ranges::any_of(sentence_.walls,
                             [&](const Wall& wall) { return begin < wall.at && wall.at < end; });
}

// Whether a rule leaves each zone in one piece: apart from it, around it in one gap, within it, or,
// without gaps, over all of it.
bool Chart::keeps_zones(std::uint32_t begin, std::uint32_t end,
                        const DottedRules::Dotted& dotted) const {
  return std::ranges::all_of(sentence_.zones, [&](const Zone& zone) {
    if (end <= zone.begin || zone.end <= begin) return true;
    if (zone.begin <= begin && end <= zone.end) return true;
    if (zone.begin < begin || end < zone.end) return false;
    for (std::size_t g = 0; g < dotted.gap_count; ++g)
      if (dotted.gap_begins[g] <= zone.begin && zone.end <= dotted.gap_ends[g]) return true;
    return dotted.gap_count == 0;
  });
}

// The sentence's own rules for a span: forced translations, or the copy of an unknown word, which
// gives way to any rule for the word alone.
void Chart::add_extra(std::uint32_t begin, std::uint32_t end) {
  std::vector<RuleId>& rules = extras_[span_cell(begin, end)];
  if (rules.empty()) return;
  const bool known = !cubes_.empty() || rules.size() > 1;
  const bool exclusive =
      std::find(closed_.begin() + begin, closed_.begin() + end, true) != closed_.begin() + end;
  std::erase_if(rules, [&](RuleId rule) {
    const ExtraRule& extra = sentence_.extra[rule - sentence_.first_extra];
    return (extra.unknown && known) || (exclusive && !extra.exclusive);
  });
  if (!rules.empty() && keeps_zones(begin, end, {}))
    cubes_.push_back({options_.extra(rules), {kNone, kNone}, 0});
}

void Chart::fill(std::uint32_t cell, std::uint32_t begin, std::uint32_t end) {
  items_.clear();
  heap_.clear();
  const auto first = static_cast<std::uint32_t>(graph_.nodes.size());
  for (std::uint32_t cube = 0; cube < cubes_.size(); ++cube) queue({0, cube, {}}, 0);
  ChartItem made;
  made.cell = cell;
  made.begin = static_cast<std::uint16_t>(begin);
  made.end = static_cast<std::uint16_t>(end);
  for (std::size_t opened = 0; opened < task_.settings.pops && !heap_.empty();) {
    std::pop_heap(heap_.begin(), heap_.end());
    const Entry entry = heap_.back();
    heap_.pop_back();
    double carried = 0;
    if (double score = 0; make(entry, made, score)) {
      ++opened;
      const Cube& cube = cubes_[entry.cube];
      carried = kCarried * (score - without_joints(cube, entry) - joint_gain(cube, entry));
    }
    queue_next(entry, carried);
  }
  std::vector<std::uint32_t>& order = graph_.order;
  const auto at = static_cast<std::uint32_t>(order.size());
  for (auto node = first; node < graph_.nodes.size(); ++node) order.push_back(node);
  std::sort(order.begin() + at, order.end(), [this](std::uint32_t a, std::uint32_t b) {
    const double x = graph_.nodes[a].score, y = graph_.nodes[b].score;
    return x != y ? x > y : a < b;
  });
  if (task_.settings.stack > 0 && order.size() > at + std::size_t{task_.settings.stack})
    order.resize(at + std::size_t{task_.settings.stack});
  cells_[cell] = {at, static_cast<std::uint32_t>(order.size()) - at};
}

// How many choices an axis of a cube has: options first, then the items of each gap.
std::size_t Chart::axis(const Cube& cube, std::size_t which) const {
  if (which == 0) return std::max(cube.options.count, 1u);
  return cube.parts[which - 1] == kNone ? 1 : cells_[cube.parts[which - 1]].count;
}

double Chart::without_joints(const Cube& cube, const Entry& entry) const {
  double score = cube.fixed;
  if (cube.options.count > 0) score += options_[cube.options.first + entry.ranks[0]].score;
  for (std::size_t g = 0; g < cube.parts.size(); ++g)
    if (cube.parts[g] != kNone)
      score += graph_.nodes[item(cube.parts[g], entry.ranks[g + 1])].score;
  return score;
}

double Chart::joint_gain(const Cube& cube, const Entry& entry) const {
  if (cube.options.count == 0) return usual_gain_;
  return usual_gain_ * options_[cube.options.first + entry.ranks[0]].joints;
}

void Chart::queue(Entry entry, double carried) {
  const Cube& cube = cubes_[entry.cube];
  entry.score = without_joints(cube, entry) + joint_gain(cube, entry) + carried;
  heap_.push_back(entry);
  std::push_heap(heap_.begin(), heap_.end());
}

// Each entry is queued by one other alone, so none is made twice: the next along each axis up to
// the first that is not at its beginning.
void Chart::queue_next(const Entry& entry, double carried) {
  for (std::size_t which = 0; which < kAxes; ++which) {
    if (entry.ranks[which] + std::size_t{1} < axis(cubes_[entry.cube], which)) {
      Entry next = entry;
      ++next.ranks[which];
      queue(next, carried);
    }
    if (entry.ranks[which] > 0) break;
  }
}

// Makes the item of an entry and gives its score; false if it is forbidden.
bool Chart::make(const Entry& entry, ChartItem made, double& score) {
  const Cube& cube = cubes_[entry.cube];
  made.score = without_joints(cube, entry);
  for (std::size_t g = 0; g < cube.parts.size(); ++g)
    if (cube.parts[g] != kNone) made.parts[g] = item(cube.parts[g], entry.ranks[g + 1]);
  if (cube.options.count > 0) made.option = cube.options.first + entry.ranks[0];
  const bool allowed =
      made.option == kNone ? join_glue(made) : join_rule(options_[made.option], made);
  if (!allowed) return false;
  score = made.score;
  graph_.enter(made, state_.data(), items_, task_.settings.recombine, task_.settings.nbest > 1);
  return true;
}

bool Chart::join_rule(const ChartOption& option, ChartItem& made) {
  for (std::size_t l = 0; l < lms_.size(); ++l) {
    LmCache::Phrase span = options_.piece(option, 0, l);
    double gain = 0;
    for (std::size_t g = 0; g < option.gap_count; ++g) {
      const std::uint32_t* inner = graph_.state(made.parts[option.gaps[g]]) + 2 * l;
      gain += lms_[l].join(span, {inner[0], inner[1]});
      gain += lms_[l].join(span, options_.piece(option, g + 1, l));
    }
    made.score += lm_weights_[l] * gain;
    state_[2 * l] = span.prefix;
    state_[2 * l + 1] = span.right;
  }
  if (!wanted_) return true;
  const Pieces pieces = pieces_of(*task_.model, target_of(*task_.model, sentence_, option.rule));
  std::uint32_t move = wanted_->words(pieces.words[0]);
  for (std::size_t g = 0; g < pieces.gap_count && move != kNone; ++g) {
    move = wanted_->join(move, graph_.state(made.parts[pieces.gaps[g]])[2 * lms_.size()]);
    const std::uint32_t words = wanted_->words(pieces.words[g + 1]);
    move = move == kNone || words == kNone ? kNone : wanted_->join(move, words);
  }
  state_.back() = move;
  return move != kNone;
}

bool Chart::join_glue(ChartItem& made) {
  const std::uint32_t* before = graph_.state(made.parts[0]);
  const std::uint32_t* next = graph_.state(made.parts[1]);
  for (std::size_t l = 0; l < lms_.size(); ++l) {
    const LmCache::Extension& extension = lms_[l].extend(before[2 * l + 1], next[2 * l]);
    made.score += lm_weights_[l] * extension.gain;
    state_[2 * l] = 0;
    state_[2 * l + 1] = extension.right == kNone ? next[2 * l + 1] : extension.right;
  }
  if (!wanted_) return true;
  const std::size_t move = 2 * lms_.size();
  state_[move] = wanted_->behind(before[move], next[move]);
  return state_[move] != kNone;
}

}  // namespace miriam::search
