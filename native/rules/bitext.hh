// An aligned bitext, and one sentence pair of it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "align/links.hh"
#include "rules/records.hh"

namespace miriam::rules {

struct Bitext {
  std::span<const WordId> source_ids;
  std::span<const WordId> target_ids;
  align::Lengths lengths;  // the same ends, one a sentence
  align::LinksView links;
  std::span<const std::uint64_t> domains;  // bits, one set a sentence; empty: no domains
};

struct SentencePair {
  std::span<const WordId> source, target;
  std::span<const align::Link> links;  // sorted
  std::uint64_t domains;
};

inline SentencePair sentence_pair(const Bitext& bitext, std::size_t i) {
  return {piece(bitext.source_ids, bitext.lengths.source_ends, i),
          piece(bitext.target_ids, bitext.lengths.target_ends, i), bitext.links[i],
          bitext.domains.empty() ? 0 : bitext.domains[i]};
}

// The links of the source words [begin, end), which are consecutive.
inline std::span<const align::Link> links_of(const SentencePair& pair, std::size_t begin,
                                             std::size_t end) {
  const auto first = std::ranges::lower_bound(pair.links, begin, {}, &align::Link::source);
  const auto last = std::ranges::lower_bound(pair.links, end, {}, &align::Link::source);
  return {first, last};
}

}  // namespace miriam::rules
