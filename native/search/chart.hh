// Hierarchical search: a chart over spans, filled bottom-up, with cube pruning (Chiang 2007).
//
// A cell holds the items of a span; there is one for each span that rules may cover, and one for
// each beginning of the sentence, whose items are made by glue: the beginning before, and what is
// in the cell of the span between. Each way to make items of a cell out of those of others is a
// cube: the options of a source side, and the items of the cells in its gaps, each best first. The
// most promising entry of all cubes is opened next, until the pop limit; like phrase-based search,
// it waits with an estimate of what the language models will say of the joints, corrected by what
// they said of the entry before.
//
// The state of an item is, for each language model, the words at its left that wait for context and
// the state at its right; then the move of the required translation (search/wanted.hh). In an item
// of a beginning of the sentence nothing waits at the left, and a place stands for the move.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "search/chart_options.hh"
#include "search/graph.hh"
#include "search/wanted.hh"

namespace miriam::search {

// An item: the best way known to its cell and state.
struct ChartItem {
  double score = 0;
  std::array<std::uint32_t, rules::kMaxGaps> parts{kNone, kNone};  // in source order
  std::uint32_t option = kNone;                                    // kNone: glue
  std::uint32_t cell = 0;
  std::uint32_t alternative = kNone;
  std::uint16_t begin = 0, end = 0;

  std::uint32_t place() const { return cell; }
  std::array<std::uint32_t, rules::kMaxGaps> tails() const { return parts; }
};

using ChartGraph = Graph<ChartItem>;

class Chart {
 public:
  Chart(const Task& task, const Sentence& sentence, RuleTrie& trie, ChartOptions& options,
        std::span<LmCache> lms, ChartGraph& graph);

  // Fills the graph; returns all ways to end, best first (none if what is required is out of
  // reach).
  std::vector<Goal> run();

 private:
  static constexpr std::size_t kAxes = 1 + rules::kMaxGaps;  // options, and the items of each gap

  struct Cell {
    std::uint32_t first = 0, count = 0;  // in the graph's order, best first
  };
  struct Cube {
    OptionRange options;                               // none: glue
    std::array<std::uint32_t, rules::kMaxGaps> parts;  // cells; kNone: no such gap
    double fixed;                                      // what all entries score
  };
  struct Entry {
    double score;
    std::uint32_t cube;
    std::array<std::uint16_t, kAxes> ranks;
    friend bool operator<(const Entry& a, const Entry& b) {  // for a heap with the best on top
      if (a.score != b.score) return a.score < b.score;
      return a.cube != b.cube ? a.cube > b.cube : a.ranks > b.ranks;
    }
  };

  std::uint32_t span_cell(std::uint32_t begin, std::uint32_t end) const {
    return begin * width_ + end - begin - 1;
  }
  std::uint32_t glue_cell(std::uint32_t end) const { return words_ * width_ + end; }
  bool filled(std::uint32_t begin, std::uint32_t end) const {
    return end - begin <= width_ && cells_[span_cell(begin, end)].count > 0;
  }

  void start();
  void cover(std::uint32_t begin);
  void glue(std::uint32_t end);
  bool walled(std::uint32_t begin, std::uint32_t end) const;
  bool keeps_zones(std::uint32_t begin, std::uint32_t end, const DottedRules::Dotted& dotted) const;
  void add_extra(std::uint32_t begin, std::uint32_t end);
  void fill(std::uint32_t cell, std::uint32_t begin, std::uint32_t end);
  double without_joints(const Cube& cube, const Entry& entry) const;
  double joint_gain(const Cube& cube, const Entry& entry) const;
  void queue(Entry entry, double carried);
  void queue_next(const Entry& entry, double carried);
  std::size_t axis(const Cube& cube, std::size_t which) const;
  bool make(const Entry& entry, ChartItem made, double& score);
  bool join_rule(const ChartOption& option, ChartItem& made);
  bool join_glue(ChartItem& made);
  std::uint32_t item(std::uint32_t cell, std::uint32_t rank) const {
    return graph_.order[cells_[cell].first + rank];
  }

  const Task& task_;
  const Sentence& sentence_;
  RuleTrie& trie_;
  ChartOptions& options_;
  std::span<LmCache> lms_;
  ChartGraph& graph_;
  std::optional<Wanted> wanted_;
  std::uint32_t words_;
  std::uint32_t width_;  // the longest span that a rule may cover
  std::vector<double> lm_weights_;
  double usual_gain_ = 0;  // of a joint
  double glue_weight_;
  std::vector<bool> closed_;                 // words that only exclusive rules may touch
  std::vector<std::vector<RuleId>> extras_;  // by span
  std::vector<Cell> cells_;
  DottedRules dotted_;
  // The cell that is being filled:
  std::vector<Cube> cubes_;
  std::vector<Entry> heap_;
  HashIndex items_;
  std::vector<std::uint32_t> state_;
};

}  // namespace miriam::search
