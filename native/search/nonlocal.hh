// What a phrase scores that depends on what precedes it, and the state that carries it along.
//
// A state is a row of numbers, equal if and only if all non-local features will treat every
// continuation alike; which of them there are depends on the model:
//   a state of each language model · where the last phrase began, while a swap with it is possible
//   · the last rule's scores with the next phrase · the shift-reduce stack of blocks · the right
//   key of each boundary template · the last rule's flags · words of the required target seen so
//   far · the user's own.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <vector>

#include "base/intern.hh"
#include "features/names.hh"
#include "search/coverage.hh"
#include "search/hypothesis.hh"
#include "search/language.hh"
#include "search/lattice.hh"

namespace miriam::search {

using features::kBackwards;
using features::kForwards;

// A phrase put after a hypothesis.
struct Step {
  const Hypothesis* previous;
  Coverage before, after;
  std::uint32_t begin, end;
  std::uint32_t option;
  bool first;  // whether the sentence begins with it
};

// The keys of the features of a signed jump (last end - begin): its direction, unless it is 0, and
// itself.
std::vector<std::uint32_t> signed_jump_keys(std::int64_t jump);

// How a phrase [begin, end) lies to the one before.
Event phrase_event(std::uint32_t previous_begin, std::uint32_t previous_end, std::uint32_t begin,
                   std::uint32_t end);
// The same as the earlier phrase sees it when blocks count: optimistic about gaps that are open
// (Galley and Manning 2008, 4.1, as Moses decodes).
Event open_block_event(const Coverage& before, std::uint32_t previous_begin,
                       std::uint32_t previous_end, std::uint32_t begin, std::uint32_t end);

// Stacks of blocks that hold contiguous source words, shared tails and all.
class BlockStacks {
 public:
  static constexpr std::uint32_t kEmpty = kNone;

  struct Shift {
    Event event;  // how the phrase lies to the top block
    std::uint32_t stack;
  };
  // Puts a phrase on a stack, merging it with the blocks it touches.
  Shift shift(std::uint32_t stack, std::uint32_t begin, std::uint32_t end);
  void clear() { blocks_.clear(); }

 private:
  struct Block {
    std::uint32_t begin, end, below;
    std::uint64_t hash() const { return combine(combine(begin, end), below); }
    friend bool operator==(const Block&, const Block&) = default;
  };
  ValueTable<Block> blocks_;
};

class NonLocal {
 public:
  NonLocal(const Task& task, const Sentence& sentence, std::span<LmCache> lms,
           const OptionCache& options);

  std::size_t state_size() const { return size_; }
  // How many numbers of a state are compared: all, unless the settings have some ignored.
  std::size_t compared_size() const { return compared_; }
  void begin(std::uint32_t* state) const;
  // The weighted score of a jump between phrases, and how much of it all jumps to come cost.
  double jump(std::uint32_t last_end, std::uint32_t begin) const;
  double future_jumps(const Coverage& coverage, std::uint32_t last_end) const;
  // What the left context usually adds to a phrase's score: a word's worth of language model.
  double usual_gain() const;
  // What orientations will score, but for what only the blocks before the phrase can tell.
  double orientation_estimate(const Step& step, const std::uint32_t* state) const;
  // Whether extend() may forbid a phrase.
  bool may_forbid() const { return sentence_.target_use != Target::open; }
  // Fetches what extend() will read of the language models.
  void prefetch(const std::uint32_t* state, std::uint32_t option) const {
    const LmCache::Phrase* phrase = options_.lm(option);
    for (std::size_t l = 0; l < lms_.size(); ++l) lms_[l].prefetch(state[l], phrase[l].prefix);
  }
  // Whether the phrase may follow; then adds its score, with all that is local, and the new state.
  bool extend(const Step& step, const std::uint32_t* state, std::uint32_t* next, double& score);
  // Whether a derivation may end in this state; then adds what the end scores.
  bool finish(const std::uint32_t* state, double& score);

 private:
  void orient(const Step& step, const std::uint32_t* state, std::uint32_t* next, double& score);
  double boundary(std::size_t index, std::uint32_t right, std::uint32_t left);
  // The weight of a feature of a family; 0 if nobody has met it yet.
  double keyed(const KeyedFamily& family, std::initializer_list<std::uint32_t> key) const;
  bool follow(const Step& step, std::uint32_t& position) const;

  const Task& task_;
  const Sentence& sentence_;
  std::span<LmCache> lms_;
  const OptionCache& options_;
  std::vector<double> lm_weights_;
  double distortion_;
  std::vector<double> signed_jumps_;  // by jump + sentence length; empty: no such feature
  bool uses_phrase_ = false, uses_block_ = false, uses_next_ = false, uses_flags_ = false;
  BlockStacks stacks_;
  std::vector<PairMemo<double>> boundary_memo_;
  std::vector<double> flag_scores_;  // of each set of shared flags
  double adjacent_in_domain_;
  // where in the state each part begins
  std::size_t orientation_ = 0, block_ = 0, boundary_ = 0, flags_ = 0, target_ = 0, user_ = 0;
  std::size_t size_ = 0, compared_ = 0;
};

}  // namespace miriam::search
