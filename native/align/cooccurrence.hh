// Which words occur together, numbered so that training looks no word up.
//
// The words that a source word meets in its target sentences are its row: sorted, distinct. Every
// cell (source position, target position) of a sentence pair holds the number of its word pair
// within the row of its source word, so the probability of a cell is one indexed load.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "align/bitext.hh"
#include "base/progress.hh"

namespace miriam::align {

struct Vocabularies {
  std::size_t source = 0;  // numbers of words
  std::size_t target = 0;
};

class Cooccurrence {
 public:
  // Word ids are below the sizes of their vocabularies. A pair with an empty side has no cells.
  Cooccurrence(const Bitext& bitext, const Vocabularies& sizes, unsigned threads,
               Progress& progress);

  std::size_t source_words() const { return row_ends_.size(); }
  std::size_t size() const { return targets_.size(); }  // distinct word pairs
  std::uint64_t row_begin(WordId source) const { return source == 0 ? 0 : row_ends_[source - 1]; }
  const std::vector<std::uint64_t>& row_ends() const { return row_ends_; }
  const std::vector<WordId>& targets() const { return targets_; }
  // The cells of a sentence pair, one source word after another.
  const std::uint32_t* cells(std::size_t pair) const { return cells_.data() + cell_begins_[pair]; }

 private:
  std::vector<std::uint64_t> row_ends_;  // by source word, in targets_
  std::vector<WordId> targets_;
  std::vector<std::uint64_t> cell_begins_;  // by sentence pair, in cells_
  std::vector<std::uint32_t> cells_;
};

}  // namespace miriam::align
