// Multi-stack beam search with cube pruning (Koehn et al. 2003; Huang and Chiang 2007).
//
// Stack n holds the hypotheses that cover n words. It is filled from the stacks before it: each
// group of hypotheses there and each span that it may be extended by make a cube (here a grid:
// hypotheses x options, both best first), and the most promising cell of all cubes is opened next,
// until the pop limit. A cell waits in the queue with an estimate, in which the language model's
// left context counts as it usually does, corrected by what it did for the cell before; it is
// computed when it comes up. So no language model is asked in vain, and cells are taken a few at a
// time, for which the memory that the models will read is fetched at once. Orientations are part of
// the estimate, because they are cheap and often decide which of two jumps is better.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "search/future.hh"
#include "search/hypothesis.hh"
#include "search/lattice.hh"
#include "search/nonlocal.hh"

namespace miriam::search {

class Search {
 public:
  Search(const Task& task, const Sentence& sentence, const Lattice& lattice,
         const OptionCache& options, NonLocal& features, PhraseGraph& graph);

  // Fills the graph; returns all ways to end, best first (none if a required target is out of
  // reach).
  std::vector<Goal> run();

 private:
  struct Cube {
    std::uint32_t group;
    OptionRange options;
    std::uint32_t begin, end;
    double fixed;          // the jump's score, the same for all cells
    std::uint32_t target;  // the group that its cells belong to; kNone: not known yet
  };
  struct Cell {
    double score;
    float gain;  // what of it the left context is expected to add
    std::uint32_t cube;
    std::uint16_t hypothesis, option;                      // ranks
    friend bool operator<(const Cell& a, const Cell& b) {  // for a heap with the best on top
      if (a.score != b.score) return a.score < b.score;
      if (a.cube != b.cube) return a.cube > b.cube;
      if (a.hypothesis != b.hypothesis) return a.hypothesis > b.hypothesis;
      return a.option > b.option;
    }
  };

  bool allowed(const Group& group, std::uint32_t begin, std::uint32_t end) const;
  void fill(std::uint32_t covered);
  Step step_of(const Cube& cube, std::uint32_t hypothesis, std::uint32_t option) const;
  bool add_cell(std::uint32_t cube, std::uint32_t hypothesis, std::uint32_t option, double gain);
  void queue(std::uint32_t cube, std::uint32_t hypothesis, std::uint32_t option, double gain);
  void open_queue();
  void take(std::size_t count);
  bool make(const Cell& cell, double& score);
  void enter(const Hypothesis& made);
  std::uint32_t target_group(const Coverage& coverage, std::uint32_t last_end);
  void settle(std::uint32_t covered);
  void spread(std::uint32_t covered, std::uint32_t group);

  const Task& task_;
  const Sentence& sentence_;
  const Lattice& lattice_;
  const OptionCache& options_;
  NonLocal& features_;
  PhraseGraph& graph_;
  FutureScores future_;
  std::uint32_t words_;

  std::vector<std::vector<Cube>> cubes_;  // by the number of words their cells cover
  std::vector<std::pair<double, std::uint32_t>> promising_;  // a buffer: scores and hypotheses
  // The stack that is being filled:
  std::vector<Cube>* open_cubes_ = nullptr;
  std::vector<Cell> heap_;
  std::vector<Cell> taken_;  // cells about to be made
  HashIndex groups_;
  HashIndex nodes_;
  std::uint32_t first_group_ = 0;
  std::uint32_t first_hypothesis_ = 0;
  std::vector<std::uint32_t> state_;  // of the hypothesis that is being made
};

}  // namespace miriam::search
