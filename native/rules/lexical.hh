// Word translation probabilities from an aligned corpus, and lexical weights (Koehn, Och and Marcu
// 2003, section 3.3).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "align/links.hh"
#include "rules/records.hh"

namespace miriam::rules {

// How often each word pair is linked; words without a link count as linked to the empty word,
// kNoWord. Sorted by key.
struct LexicalCounts {
  std::vector<std::uint64_t> keys;  // source word * 2^32 + target word
  std::vector<std::uint32_t> counts;
};

// The order of the additions does not matter; `keys` may repeat.
LexicalCounts count_keys(std::vector<std::uint64_t> keys);
LexicalCounts add_counts(const LexicalCounts& a, const LexicalCounts& b);

// The keys of one sentence pair, appended.
void collect_links(std::span<const WordId> source, std::span<const WordId> target,
                   std::span<const align::Link> links, std::vector<std::uint64_t>& keys);

struct LexicalWeights {
  double source_given_target;
  double target_given_source;
};

// Relative frequencies w(e|f) and w(f|e), in a hash table.
class LexicalTable {
 public:
  LexicalTable(std::span<const std::uint64_t> keys, std::span<const std::uint32_t> counts);

  // Zero for words that were never linked; kNoWord is the empty word.
  LexicalWeights word(WordId source, WordId target) const;
  // The product over the words of a side of the mean probability given the words linked to them.
  // Words below `gaps` are left out: they stand for gaps.
  LexicalWeights phrase(std::span<const WordId> source, std::span<const WordId> target,
                        ByteView links, WordId gaps) const;

 private:
  struct Slot {
    std::uint64_t key;
    double source_given_target;  // negative: the slot is free
    double target_given_source;
  };
  std::vector<Slot> slots_;
};

}  // namespace miriam::rules
