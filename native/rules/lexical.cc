#include "rules/lexical.hh"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <unordered_map>

#include "base/error.hh"

namespace miriam::rules {
namespace {

using lexicon::kNoWord;

constexpr std::uint64_t word_pair(WordId source, WordId target) {
  return std::uint64_t{source} << 32 | target;
}
constexpr WordId source_of(std::uint64_t key) { return static_cast<WordId>(key >> 32); }
constexpr WordId target_of(std::uint64_t key) { return static_cast<WordId>(key); }

std::uint32_t add_up(std::uint32_t a, std::uint32_t b) {
  if (b > std::numeric_limits<std::uint32_t>::max() - a) {
    throw InputError("a word pair is linked more than four billion times");
  }
  return a + b;
}

}  // namespace

LexicalCounts count_keys(std::vector<std::uint64_t> keys) {
  std::sort(keys.begin(), keys.end());
  LexicalCounts counts;
  for (std::size_t i = 0; i < keys.size();) {
    const std::size_t begin = i;
    while (i < keys.size() && keys[i] == keys[begin]) ++i;
    counts.keys.push_back(keys[begin]);
    counts.counts.push_back(static_cast<std::uint32_t>(i - begin));
  }
  return counts;
}

LexicalCounts add_counts(const LexicalCounts& a, const LexicalCounts& b) {
  LexicalCounts sum;
  sum.keys.reserve(a.keys.size() + b.keys.size());
  sum.counts.reserve(a.keys.size() + b.keys.size());
  for (std::size_t i = 0, j = 0; i < a.keys.size() || j < b.keys.size();) {
    const bool from_a = j == b.keys.size() || (i < a.keys.size() && a.keys[i] <= b.keys[j]);
    const bool from_b = i == a.keys.size() || (j < b.keys.size() && b.keys[j] <= a.keys[i]);
    sum.keys.push_back(from_a ? a.keys[i] : b.keys[j]);
    sum.counts.push_back(add_up(from_a ? a.counts[i] : 0, from_b ? b.counts[j] : 0));
    i += from_a;
    j += from_b;
  }
  return sum;
}

void collect_links(std::span<const WordId> source, std::span<const WordId> target,
                   std::span<const align::Link> links, std::vector<std::uint64_t>& keys) {
  std::vector<bool> source_linked(source.size());
  std::vector<bool> target_linked(target.size());
  for (const align::Link& link : links) {
    keys.push_back(word_pair(source[link.source], target[link.target]));
    source_linked[link.source] = target_linked[link.target] = true;
  }
  for (std::size_t i = 0; i < source.size(); ++i) {
    if (!source_linked[i]) keys.push_back(word_pair(source[i], kNoWord));
  }
  for (std::size_t i = 0; i < target.size(); ++i) {
    if (!target_linked[i]) keys.push_back(word_pair(kNoWord, target[i]));
  }
}

LexicalTable::LexicalTable(std::span<const std::uint64_t> keys,
                           std::span<const std::uint32_t> counts)
    : slots_(std::bit_ceil(2 * keys.size() + 1), Slot{0, -1.0, -1.0}) {
  std::unordered_map<WordId, double> source_totals;
  std::unordered_map<WordId, double> target_totals;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    source_totals[source_of(keys[i])] += counts[i];
    target_totals[target_of(keys[i])] += counts[i];
  }
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    std::size_t at = mix(keys[i]) & mask;
    while (slots_[at].source_given_target >= 0) at = (at + 1) & mask;
    slots_[at] = {keys[i], counts[i] / target_totals[target_of(keys[i])],
                  counts[i] / source_totals[source_of(keys[i])]};
  }
}

LexicalWeights LexicalTable::word(WordId source, WordId target) const {
  const std::uint64_t key = word_pair(source, target);
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t at = mix(key) & mask; slots_[at].source_given_target >= 0;
       at = (at + 1) & mask) {
    if (slots_[at].key == key) {
      return {slots_[at].source_given_target, slots_[at].target_given_source};
    }
  }
  return {0, 0};
}

LexicalWeights LexicalTable::phrase(std::span<const WordId> source, std::span<const WordId> target,
                                    ByteView links, WordId gaps) const {
  struct Sum {
    double total = 0;
    int links = 0;
  };
  std::array<Sum, kMaxPhraseWords + 1> by_source{};
  std::array<Sum, kMaxPhraseWords + 1> by_target{};
  for (const std::uint8_t link : links) {
    const std::size_t i = link >> 4;
    const std::size_t j = link & 15;
    const LexicalWeights w = word(source[i], target[j]);
    by_source[i] = {by_source[i].total + w.source_given_target, by_source[i].links + 1};
    by_target[j] = {by_target[j].total + w.target_given_source, by_target[j].links + 1};
  }
  LexicalWeights product{1, 1};
  for (std::size_t i = 0; i < source.size(); ++i) {
    if (source[i] < gaps) continue;
    product.source_given_target *= by_source[i].links
                                       ? by_source[i].total / by_source[i].links
                                       : word(source[i], kNoWord).source_given_target;
  }
  for (std::size_t j = 0; j < target.size(); ++j) {
    if (target[j] < gaps) continue;
    product.target_given_source *= by_target[j].links
                                       ? by_target[j].total / by_target[j].links
                                       : word(kNoWord, target[j]).target_given_source;
  }
  return product;
}

}  // namespace miriam::rules
