#include "search/search.hh"

#include <algorithm>
#include <cmath>
#include <limits>

namespace miriam::search {
namespace {

// Cells taken from the queue at once, and how much of what one gained its neighbours are expected
// to gain; both measured (docs/rooms/search.md).
constexpr std::size_t kAtOnce = 4;
constexpr double kCarried = 0.3;
constexpr std::uint32_t kSmallestStack = 50;

}  // namespace

Search::Search(const Task& task, const Sentence& sentence, const Lattice& lattice,
               const OptionCache& options, NonLocal& features, PhraseGraph& graph)
    : task_(task),
      sentence_(sentence),
      lattice_(lattice),
      options_(options),
      features_(features),
      graph_(graph),
      future_(lattice, options),
      words_(lattice.words()),
      cubes_(words_ + 1),
      state_(features.state_size()) {}

std::vector<Goal> Search::run() {
  graph_.clear(features_.state_size(), features_.compared_size());
  graph_.groups.clear();
  features_.begin(state_.data());
  graph_.groups.push_back({});
  enter(Hypothesis{});
  settle(0);
  for (std::uint32_t covered = 1; covered <= words_; ++covered) {
    fill(covered);
    settle(covered);
  }
  std::vector<Goal> goals;
  for (std::uint32_t g = first_group_; g < graph_.groups.size(); ++g) {
    const Group& group = graph_.groups[g];
    for (std::uint32_t i = group.first; i < group.first + group.count; ++i) {
      const std::uint32_t hypothesis = graph_.order[i];
      double score = graph_.nodes[hypothesis].score;
      if (features_.finish(graph_.state(hypothesis), score)) goals.push_back({hypothesis, score});
    }
  }
  std::ranges::stable_sort(goals, std::greater{}, &Goal::score);
  return goals;
}

bool Search::allowed(const Group& group, std::uint32_t begin, std::uint32_t end) const {
  const Coverage& coverage = group.coverage;
  if (!coverage.takes(begin, end)) return false;
  const auto limit = task_.settings.distortion_limit;
  if (limit >= 0) {
    const auto most = static_cast<std::uint32_t>(limit);
    if (begin != coverage.gap() && end - coverage.gap() > most) return false;
    const std::uint32_t jump =
        begin > group.last_end ? begin - group.last_end : group.last_end - begin;
    if (task_.settings.limit_jumps && jump > most) return false;
  }
  for (const Wall& wall : sentence_.walls) {
    if (end <= wall.at || begin >= wall.end) continue;
    for (std::uint32_t word = wall.begin; word < wall.at; ++word)
      if (!coverage.covers(word)) return false;
  }
  for (const Zone& zone : sentence_.zones) {
    if (begin <= zone.begin && zone.end <= end) continue;
    const bool inside = zone.begin <= begin && end <= zone.end;
    std::uint32_t covered = 0;
    for (std::uint32_t word = zone.begin; word < zone.end; ++word)
      covered += coverage.covers(word) ? 1 : 0;
    const bool started = covered > 0 && covered < zone.end - std::uint32_t{zone.begin};
    if (started && !inside) return false;
    // A zone that is begun must be possible to finish.
    if (inside && covered == 0 && limit >= 0 && coverage.gap() < zone.begin &&
        zone.end - coverage.gap() > static_cast<std::uint32_t>(limit))
      return false;
  }
  return true;
}

void Search::fill(std::uint32_t covered) {
  groups_.clear();
  nodes_.clear();
  heap_.clear();
  first_group_ = static_cast<std::uint32_t>(graph_.groups.size());
  first_hypothesis_ = static_cast<std::uint32_t>(graph_.nodes.size());
  open_cubes_ = &cubes_[covered];
  open_queue();
  const double usual = features_.usual_gain();
  for (std::size_t made = 0; made < task_.settings.pops && !heap_.empty();) {
    take(std::min<std::size_t>(kAtOnce, task_.settings.pops - made));
    for (const Cell& cell : taken_) {
      double gain = usual;
      if (double score = 0; make(cell, score)) {
        ++made;
        const double found = score - cell.score + static_cast<double>(cell.gain);
        if (std::isfinite(found)) gain += kCarried * (found - usual);  // else it is a dead end
      }
      // Each cell is queued by one other alone, so none is made twice.
      queue(cell.cube, cell.hypothesis, cell.option + 1u, gain);
      if (cell.option == 0) queue(cell.cube, cell.hypothesis + 1u, 0, gain);
    }
  }
}

// Queues the first cell of each cube; without those behind so many better ones that they cannot
// come up.
void Search::open_queue() {
  const double usual = features_.usual_gain();
  for (std::uint32_t number = 0; number < open_cubes_->size(); ++number) {
    Cube& cube = (*open_cubes_)[number];
    cube.target =
        target_group(graph_.groups[cube.group].coverage.with(cube.begin, cube.end), cube.end);
    add_cell(number, 0, 0, usual);
  }
  if (const std::size_t pops = task_.settings.pops;
      !features_.may_forbid() && heap_.size() > pops) {
    std::ranges::nth_element(heap_, heap_.begin() + static_cast<std::ptrdiff_t>(pops),
                             [](const Cell& a, const Cell& b) { return b < a; });
    heap_.resize(pops);
  }
  std::ranges::make_heap(heap_, std::less{});
}

Step Search::step_of(const Cube& cube, std::uint32_t hypothesis, std::uint32_t option) const {
  const Group& from = graph_.groups[cube.group];
  const std::uint32_t back = graph_.order[from.first + hypothesis];
  return {&graph_.nodes[back],
          from.coverage,
          graph_.groups[cube.target].coverage,
          cube.begin,
          cube.end,
          cube.options.first + option,
          back == 0};
}

// Puts a cell behind the queue, if the cube has it, with the estimate of its score and the
// future's.
bool Search::add_cell(std::uint32_t number, std::uint32_t rank, std::uint32_t option, double gain) {
  const Cube& cube = (*open_cubes_)[number];
  if (rank >= graph_.groups[cube.group].count || option >= cube.options.count) return false;
  const Step made = step_of(cube, rank, option);
  const auto back = static_cast<std::uint32_t>(made.previous - graph_.nodes.data());
  heap_.push_back({made.previous->score + cube.fixed + options_[made.option].score +
                       features_.orientation_estimate(made, graph_.state(back)) +
                       graph_.groups[cube.target].future + gain,
                   static_cast<float>(gain), number, static_cast<std::uint16_t>(rank),
                   static_cast<std::uint16_t>(option)});
  return true;
}

void Search::queue(std::uint32_t number, std::uint32_t rank, std::uint32_t option, double gain) {
  if (add_cell(number, rank, option, gain)) std::ranges::push_heap(heap_, std::less{});
}

// Takes the best cells from the queue, and has the memory fetched that making them will read.
void Search::take(std::size_t count) {
  taken_.clear();
  while (taken_.size() < count && !heap_.empty()) {
    std::ranges::pop_heap(heap_, std::less{});
    const Cell& cell = taken_.emplace_back(heap_.back());
    heap_.pop_back();
    const Cube& cube = (*open_cubes_)[cell.cube];
    const std::uint32_t back = graph_.order[graph_.groups[cube.group].first + cell.hypothesis];
    features_.prefetch(graph_.state(back), cube.options.first + cell.option);
  }
}

// Makes the hypothesis of a cell and gives its score with the future's; false if it is forbidden.
bool Search::make(const Cell& cell, double& score) {
  const Cube& cube = (*open_cubes_)[cell.cube];
  const Step step = step_of(cube, cell.hypothesis, cell.option);
  Hypothesis made;
  made.score = step.previous->score + cube.fixed;
  made.back = static_cast<std::uint32_t>(step.previous - graph_.nodes.data());
  made.option = step.option;
  made.group = cube.target;
  made.begin = static_cast<std::uint16_t>(cube.begin);
  made.end = static_cast<std::uint16_t>(cube.end);
  if (!features_.extend(step, graph_.state(made.back), state_.data(), made.score)) return false;
  score = made.score + graph_.groups[cube.target].future;
  enter(made);
  return true;
}

// Puts a hypothesis, whose state is in state_, into the stack.
void Search::enter(const Hypothesis& made) {
  graph_.enter(made, state_.data(), nodes_, task_.settings.recombine, task_.settings.nbest > 1);
}

std::uint32_t Search::target_group(const Coverage& coverage, std::uint32_t last_end) {
  const auto fresh = static_cast<std::uint32_t>(graph_.groups.size());
  const std::uint32_t number =
      groups_.find_or_add(combine(coverage.hash(), last_end), fresh, [&](std::uint32_t other) {
        return graph_.groups[other].coverage == coverage &&
               graph_.groups[other].last_end == last_end;
      });
  if (number == fresh) {
    Group group;
    group.coverage = coverage;
    group.last_end = last_end;
    group.future = future_.of(coverage);
    if (task_.settings.future_distortion)
      group.future += features_.future_jumps(coverage, last_end);
    graph_.groups.push_back(group);
  }
  return number;
}

// Sorts the filled stack into its groups, best first, and makes the cubes that start from them.
void Search::settle(std::uint32_t covered) {
  const auto count = static_cast<std::uint32_t>(graph_.nodes.size()) - first_hypothesis_;
  promising_.clear();
  for (std::uint32_t i = first_hypothesis_; i < graph_.nodes.size(); ++i)
    promising_.emplace_back(graph_.nodes[i].score + graph_.groups[graph_.nodes[i].group].future, i);
  const std::uint32_t limit = task_.settings.stack == 0
                                  ? std::max(kSmallestStack, task_.settings.pops / 3)
                                  : task_.settings.stack;
  if (count > limit) {
    std::ranges::nth_element(promising_, promising_.begin() + limit,
                             [](const auto& a, const auto& b) {
                               return a.first != b.first ? a.first > b.first : a.second < b.second;
                             });
    promising_.resize(limit);
  }
  std::ranges::sort(promising_, [&](const auto& a, const auto& b) {
    const Hypothesis &x = graph_.nodes[a.second], &y = graph_.nodes[b.second];
    if (x.group != y.group) return x.group < y.group;
    return x.score != y.score ? x.score > y.score : a.second < b.second;
  });
  for (const auto& [promise, hypothesis] : promising_) {
    Group& group = graph_.groups[graph_.nodes[hypothesis].group];
    if (group.count++ == 0) group.first = static_cast<std::uint32_t>(graph_.order.size());
    graph_.order.push_back(hypothesis);
  }
  for (std::uint32_t g = first_group_; g < graph_.groups.size(); ++g)
    if (graph_.groups[g].count > 0) spread(covered, g);
}

void Search::spread(std::uint32_t covered, std::uint32_t number) {
  const Group& group = graph_.groups[number];
  std::uint32_t last = std::min(words_, group.coverage.gap() + Coverage::kWindow);
  if (task_.settings.distortion_limit >= 0)
    last = std::min(last, group.coverage.gap() + 1 +
                              static_cast<std::uint32_t>(task_.settings.distortion_limit));
  for (std::uint32_t begin = group.coverage.gap(); begin < last; ++begin) {
    const double fixed = features_.jump(group.last_end, begin);
    for (std::uint32_t end = begin + 1; end <= begin + lattice_.longest(begin); ++end) {
      if (group.coverage.covers(end - 1)) break;
      const OptionRange options = lattice_.at(begin, end);
      if (options.count > 0 && allowed(group, begin, end))
        cubes_[covered + end - begin].push_back({number, options, begin, end, fixed, kNone});
    }
  }
}

}  // namespace miriam::search
