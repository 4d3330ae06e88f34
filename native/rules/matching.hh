// Which source sides of a table match somewhere in a sentence, gaps and all.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/progress.hh"
#include "rules/table.hh"

namespace miriam::rules {

struct MatchOptions {
  std::vector<WordId> gaps;  // the words that stand for gaps, in the order in which they are used
  std::size_t max_symbols;   // of the longest source side
  std::size_t max_span;      // words that a source side may cover, gaps filled
};

// The numbers of the source sides that match each sentence, in rising order.
struct Matches {
  std::vector<std::uint64_t> sources;
  std::vector<std::uint64_t> ends;  // where those of each sentence end in `sources`
};

Matches match_sources(const PhraseIndex& index, std::span<const WordId> words,
                      std::span<const std::uint64_t> ends, const MatchOptions& options,
                      Progress& progress);

}  // namespace miriam::rules
