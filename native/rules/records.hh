// What extraction writes and reduction reads: records of phrase pairs and of target phrases, one
// after another, sorted by hash. Equal records are merged by adding their counts, so a shard's, a
// partition's and a corpus's records are the same kind of thing.
#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "base/hash.hh"
#include "lexicon/vocabulary.hh"

namespace miriam::rules {

using lexicon::WordId;
using Bytes = std::vector<std::uint8_t>;
using ByteView = std::span<const std::uint8_t>;

// Extracted phrases have at most 15 words, so that a link fits into a byte.
inline constexpr int kMaxPhraseWords = 15;
// Gaps of a hierarchical rule.
inline constexpr std::size_t kMaxGaps = 2;
// Kinds of reordering that are learnt at once: each takes four bits of a record.
inline constexpr std::size_t kMaxReorderings = 4;
// The order of a file of records is that of the hash; a partition is a range of its leading bits.
inline constexpr unsigned kPartitionBits = 10;

// The i-th of pieces that lie one after another, of which `ends` says where each ends.
template <class T>
std::span<const T> piece(std::span<const T> values, std::span<const std::uint64_t> ends,
                         std::size_t i) {
  const std::uint64_t begin = i == 0 ? 0 : ends[i - 1];
  return values.subspan(begin, ends[i] - begin);
}

inline std::uint64_t hash_phrase(std::span<const WordId> words) {
  std::uint64_t hash = 0;
  for (const WordId word : words) hash = combine(hash, word);
  return hash;
}

// Followed by the words of both sides, the links (source * 16 + target) and padding to 8 bytes.
struct RuleRecord {
  std::uint64_t source_hash;
  std::uint64_t target_hash;
  std::uint64_t domains;  // a bit for each domain it was seen in
  std::uint32_t count;    // how often this pair was seen with these links and orientations,
                          // as far as a number of this size can tell: the rest are more records
  std::uint16_t orientations;  // four bits for each kind of reordering: previous * 4 + next
  std::uint8_t lengths;        // source words * 16 + target words
  std::uint8_t link_count;

  std::size_t source_length() const { return lengths >> 4; }
  std::size_t target_length() const { return lengths & 15; }
  std::size_t body_bytes() const {
    return sizeof(WordId) * (source_length() + target_length()) + link_count;
  }
  std::size_t bytes() const { return (sizeof(RuleRecord) + body_bytes() + 7) / 8 * 8; }
  const WordId* words() const { return reinterpret_cast<const WordId*>(this + 1); }
  std::span<const WordId> source() const { return {words(), source_length()}; }
  std::span<const WordId> target() const { return {words() + source_length(), target_length()}; }
  ByteView links() const {
    return {reinterpret_cast<const std::uint8_t*>(words() + source_length() + target_length()),
            link_count};
  }
};
static_assert(sizeof(RuleRecord) == 32);

// Followed by the words and padding to 8 bytes.
struct TargetRecord {
  std::uint64_t hash;
  std::uint64_t count_and_length;  // the length in the last eight bits

  TargetRecord(std::uint64_t hash_, std::uint64_t count, std::size_t length)
      : hash(hash_), count_and_length(count << 8 | length) {}

  std::uint64_t count() const { return count_and_length >> 8; }
  std::size_t length() const { return count_and_length & 255; }
  void add(const TargetRecord& other) { count_and_length += other.count() << 8; }
  std::size_t bytes() const { return sizeof(TargetRecord) + (length() + 1) / 2 * 8; }
  std::span<const WordId> words() const {
    return {reinterpret_cast<const WordId*>(this + 1), length()};
  }
};
static_assert(sizeof(TargetRecord) == 16);

// Sorted records, and where the records of each value of the leading bits of the hash begin.
struct Run {
  Bytes bytes;
  std::vector<std::uint64_t> offsets;  // 2^kPartitionBits + 1
};

// Room for a record at the end of an arena whose size is a multiple of 8.
template <class Record>
Record* append(Bytes& arena, std::size_t bytes) {
  arena.resize(arena.size() + bytes);
  return reinterpret_cast<Record*>(arena.data() + arena.size() - bytes);
}

// All records of several buffers, sorted: rules by source, target, links and orientations; targets
// by phrase; hashes first. Equal ones are side by side.
std::vector<const RuleRecord*> sorted_rules(std::span<const ByteView> buffers);
std::vector<const TargetRecord*> sorted_targets(std::span<const ByteView> buffers);

bool same_source(const RuleRecord& a, const RuleRecord& b);
bool same_pair(const RuleRecord& a, const RuleRecord& b);
bool same_links(const RuleRecord& a, const RuleRecord& b);
bool same_target(const TargetRecord& a, const TargetRecord& b);

// The records of several buffers with equal ones merged.
Run merge_rules(std::span<const ByteView> buffers);
Run merge_targets(std::span<const ByteView> buffers);

}  // namespace miriam::rules
