// The first of the three steps: a shard of aligned sentence pairs becomes sorted records.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "align/links.hh"
#include "base/progress.hh"
#include "rules/lexical.hh"
#include "rules/orientation.hh"
#include "rules/records.hh"

namespace miriam::rules {

struct Bitext {
  std::span<const WordId> source_ids;
  std::span<const WordId> target_ids;
  align::Lengths lengths;  // the same ends, one a sentence
  align::LinksView links;
  std::span<const std::uint64_t> domains;  // bits, one set a sentence; empty: no domains
};

struct ExtractOptions {
  int max_length;                           // words a side, at most kMaxPhraseWords
  std::span<const Reordering> reorderings;  // at most kMaxReorderings
};

// What a run of sentences yields.
struct Extracted {
  std::size_t sentences;  // how many were taken before `max_bytes` of records had come together
  Run rules;
  Run targets;
  LexicalCounts lexical;
};

// Extracts from sentence `begin` on until the records fill `max_bytes`, at least one sentence.
Extracted extract(const Bitext& bitext, std::size_t begin, const ExtractOptions& options,
                  std::size_t max_bytes, Progress& progress);

}  // namespace miriam::rules
