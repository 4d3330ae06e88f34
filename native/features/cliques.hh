// The words of rules that alignment links hold together.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace miriam::features {

// Numbers the cliques of a batch of rules: the words of a rule that links connect, directly or by
// way of others. `clique` says of each word, -1 if it has no link, all of the source before all of
// the target.
struct Cliques {
  std::vector<std::int32_t> of_source, of_target;  // of each word
  std::vector<std::uint32_t> rules;                // of each clique
};

// Where each rule ends in the words and the links; a link is source word * 256 + target word.
// Throws ModelError for links to words that are not there.
Cliques find_cliques(std::span<const std::uint64_t> source_ends,
                     std::span<const std::uint64_t> target_ends,
                     std::span<const std::uint64_t> link_ends,
                     std::span<const std::uint32_t> links);

}  // namespace miriam::features
