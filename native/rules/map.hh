// The first of the three steps: a shard of aligned sentence pairs becomes sorted records.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "base/progress.hh"
#include "rules/bitext.hh"
#include "rules/gaps.hh"
#include "rules/orientation.hh"
#include "rules/recorder.hh"

namespace miriam::rules {

struct ExtractOptions {
  int max_length;                           // words a side, at most kMaxPhraseWords
  std::span<const Reordering> reorderings;  // at most kMaxReorderings; none if rules have gaps
  std::optional<GapOptions> gaps;           // if rules are to have gaps
};

// Extracts from sentence `begin` on until the records fill `max_bytes`, at least one sentence.
Extracted extract(const Bitext& bitext, std::size_t begin, const ExtractOptions& options,
                  std::size_t max_bytes, Progress& progress);

}  // namespace miriam::rules
