#include "search/source_prefixes.hh"

#include <bit>

#include "base/hash.hh"

namespace miriam::search {
namespace {

constexpr std::size_t kBitsEach = 8;  // of beginnings, the same one counted as often as it comes

}  // namespace

SourcePrefixes::SourcePrefixes(std::span<const TableUse> tables) {
  std::size_t symbols = 0;
  for (const TableUse& use : tables) {
    const rules::PhraseIndex& sources = use.table->sources();
    symbols += sources.head(sources.size()).words;
  }
  bits_.resize(std::bit_ceil(kBitsEach * symbols / 64 + 1));
  for (const TableUse& use : tables) {
    const rules::PhraseIndex& sources = use.table->sources();
    for (std::size_t source = 0; source < sources.size(); ++source) {
      std::uint64_t hash = 0;
      for (const WordId symbol : sources.phrase(source)) {
        hash = combine(hash, symbol);
        bits_[(hash >> 16) & (bits_.size() - 1)] |= mask_of(hash);
      }
    }
  }
}

}  // namespace miriam::search
