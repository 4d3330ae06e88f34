#include "align/symmetrise.hh"

#include <algorithm>
#include <array>

#include "base/error.hh"

namespace miriam::align {
namespace {

enum Side : std::uint8_t { kForward = 1, kReverse = 2, kBoth = 3, kChosen = 4 };

// The links of a sentence pair as a matrix, target word by target word: the order of growing.
class Grid {
 public:
  // Begins a sentence pair.
  void set(std::span<const Link> forward, std::span<const Link> reverse) {
    sources_ = targets_ = 0;
    for (const auto links : {forward, reverse}) {
      for (const Link link : links) {
        sources_ = std::max(sources_, link.source + 1);
        targets_ = std::max(targets_, link.target + 1);
      }
    }
    cells_.assign(std::size_t{sources_} * targets_, 0);
    source_linked_.assign(sources_, 0);
    target_linked_.assign(targets_, 0);
    for (const Link link : forward) at(link) |= kForward;
    for (const Link link : reverse) at(link) |= kReverse;
  }

  template <class Wanted>
  void choose(const Wanted& wanted) {
    for_each([&](Link link) {
      if (wanted(at(link), source_linked_[link.source], target_linked_[link.target])) add(link);
    });
  }

  // Adds neighbours of chosen points that link a new word, until there are none.
  void grow(std::size_t neighbours) {
    for (bool added = true; added;) {
      added = false;
      for_each([&](Link link) {
        if (!(at(link) & kChosen)) return;
        for (std::size_t k = 0; k < neighbours; ++k) added |= grow_to(link, kNeighbours[k]);
      });
    }
  }

  void append_to(std::vector<Link>& points) const {
    for (std::uint32_t i = 0; i < sources_; ++i) {
      for (std::uint32_t j = 0; j < targets_; ++j) {
        if (cells_[std::size_t{j} * sources_ + i] & kChosen) points.push_back({i, j});
      }
    }
  }

 private:
  struct Step {
    std::int32_t target, source;
  };
  static constexpr std::array<Step, 8> kNeighbours{
      {{-1, 0}, {0, -1}, {1, 0}, {0, 1}, {-1, -1}, {-1, 1}, {1, -1}, {1, 1}}};

  std::uint8_t& at(Link link) { return cells_[std::size_t{link.target} * sources_ + link.source]; }

  void add(Link link) {
    at(link) |= kChosen;
    source_linked_[link.source] = target_linked_[link.target] = 1;
  }

  // Adds the neighbour if it is a link of either direction and one of its words is not linked yet.
  bool grow_to(Link link, Step step) {
    // A step below zero wraps around, and so lies beyond the last word too.
    const Link next{link.source + static_cast<std::uint32_t>(step.source),
                    link.target + static_cast<std::uint32_t>(step.target)};
    if (next.source >= sources_ || next.target >= targets_) return false;
    if (!(at(next) & kBoth) || (source_linked_[next.source] && target_linked_[next.target])) {
      return false;
    }
    add(next);
    return true;
  }

  template <class Visit>
  void for_each(const Visit& visit) {
    for (std::uint32_t j = 0; j < targets_; ++j) {
      for (std::uint32_t i = 0; i < sources_; ++i) visit(Link{i, j});
    }
  }

  std::uint32_t sources_ = 0, targets_ = 0;  // up to the last word that is linked
  std::vector<std::uint8_t> cells_, source_linked_, target_linked_;
};

void symmetrise_pair(Grid& grid, Symmetrisation how) {
  if (how == Symmetrisation::union_) {
    grid.choose([](std::uint8_t cell, bool, bool) { return (cell & kBoth) != 0; });
    return;
  }
  grid.choose([](std::uint8_t cell, bool, bool) { return (cell & kBoth) == kBoth; });
  if (how == Symmetrisation::intersection) return;
  grid.grow(how == Symmetrisation::grow ? 4 : 8);
  if (how == Symmetrisation::grow || how == Symmetrisation::grow_diag) return;
  const bool both = how == Symmetrisation::grow_diag_final_and;
  for (const Side side : {kForward, kReverse}) {
    grid.choose([=](std::uint8_t cell, bool source_linked, bool target_linked) {
      const bool linked = both ? source_linked || target_linked : source_linked && target_linked;
      return cell == side && !linked;
    });
  }
}

}  // namespace

Links symmetrise(const LinksView& forward, const LinksView& reverse, Symmetrisation how) {
  if (forward.size() != reverse.size()) {
    throw ConfigError("alignments of " + std::to_string(forward.size()) + " and " +
                      std::to_string(reverse.size()) + " sentence pairs cannot be symmetrised");
  }
  Links links;
  links.ends.reserve(forward.size());
  Grid grid;
  for (std::size_t pair = 0; pair < forward.size(); ++pair) {
    grid.set(forward[pair], reverse[pair]);
    symmetrise_pair(grid, how);
    grid.append_to(links.points);
    links.ends.push_back(links.points.size());
  }
  return links;
}

}  // namespace miriam::align
