#include "rules/records.hh"

#include <algorithm>
#include <limits>

#include "base/error.hh"

namespace miriam::rules {
namespace {

// A record and the first words of its sort key, so that most comparisons stay in the index.
struct RuleKey {
  std::uint64_t source_hash;
  std::uint64_t target_hash;
  const RuleRecord* record;
};

// The order of records with equal hashes: equal phrases, as a rule.
int compare_rest(const RuleRecord& a, const RuleRecord& b) {
  if (a.lengths != b.lengths) return a.lengths < b.lengths ? -1 : 1;
  const std::size_t words = sizeof(WordId) * (a.source_length() + a.target_length());
  if (const int order = std::memcmp(a.words(), b.words(), words)) return order;
  if (a.link_count != b.link_count) return a.link_count < b.link_count ? -1 : 1;
  if (const int order = std::memcmp(a.links().data(), b.links().data(), a.link_count)) return order;
  return static_cast<int>(a.orientations) - static_cast<int>(b.orientations);
}

bool operator<(const RuleKey& a, const RuleKey& b) {
  if (a.source_hash != b.source_hash) return a.source_hash < b.source_hash;
  if (a.target_hash != b.target_hash) return a.target_hash < b.target_hash;
  return compare_rest(*a.record, *b.record) < 0;
}

bool equal(std::span<const WordId> a, std::span<const WordId> b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end());
}

// Two source phrases with one hash (about once in 10^19 pairs of phrases) may lie mixed by target
// after the quick sort; then, and only then, the sort is done again with the words before it.
void part_collisions(std::vector<RuleKey>& keys) {
  const auto collide = [](const RuleKey& a, const RuleKey& b) {
    return a.source_hash == b.source_hash && !equal(a.record->source(), b.record->source());
  };
  if (std::adjacent_find(keys.begin(), keys.end(), collide) == keys.end()) return;
  std::sort(keys.begin(), keys.end(), [&](const RuleKey& a, const RuleKey& b) {
    if (!collide(a, b)) return a < b;
    return std::ranges::lexicographical_compare(a.record->source(), b.record->source());
  });
}

// Calls visit(record) for each record of the buffers; a buffer that does not end with a record is
// refused before anything is read behind its end.
template <class Record, class Visit>
void for_each_record(std::span<const ByteView> buffers, const Visit& visit) {
  for (const ByteView& buffer : buffers) {
    for (std::size_t at = 0; at < buffer.size();) {
      const auto* record = reinterpret_cast<const Record*>(buffer.data() + at);
      const std::size_t left = buffer.size() - at;
      if (left < sizeof(Record) || left < record->bytes()) {
        throw ModelError("a file of extracted rules is damaged; delete the work folder");
      }
      visit(*record);
      at += record->bytes();
    }
  }
}

// At most as much is written; the pages that are not cost nothing.
template <class Record>
std::size_t total_bytes(const std::vector<const Record*>& records) {
  std::size_t bytes = 0;
  for (const Record* record : records) bytes += record->bytes();
  return bytes;
}

// Copies the first of each group of equal records; add(kept, other) takes in the others. One that
// it refuses, because the sum would be too large, is copied as well.
template <class Record, class Same, class Add>
Run merge(const std::vector<const Record*>& sorted, const Same& same, const Add& add,
          std::uint64_t Record::* hash) {
  Run run;
  run.bytes.reserve(total_bytes(sorted));
  run.offsets.reserve((std::size_t{1} << kPartitionBits) + 1);
  for (std::size_t i = 0; i < sorted.size();) {
    const Record& first = *sorted[i];
    while (run.offsets.size() <= first.*hash >> (64 - kPartitionBits)) {
      run.offsets.push_back(run.bytes.size());
    }
    auto* kept = append<Record>(run.bytes, first.bytes());
    std::memcpy(static_cast<void*>(kept), &first, first.bytes());
    for (++i; i < sorted.size() && same(first, *sorted[i]) && add(*kept, *sorted[i]);) ++i;
  }
  run.offsets.resize((std::size_t{1} << kPartitionBits) + 1, run.bytes.size());
  return run;
}

}  // namespace

std::vector<const RuleRecord*> sorted_rules(std::span<const ByteView> buffers) {
  std::vector<RuleKey> keys;
  for_each_record<RuleRecord>(buffers, [&](const RuleRecord& record) {
    keys.push_back({record.source_hash, record.target_hash, &record});
  });
  std::sort(keys.begin(), keys.end());
  part_collisions(keys);
  std::vector<const RuleRecord*> sorted;
  sorted.reserve(keys.size());
  for (const RuleKey& key : keys) sorted.push_back(key.record);
  return sorted;
}

std::vector<const TargetRecord*> sorted_targets(std::span<const ByteView> buffers) {
  std::vector<std::pair<std::uint64_t, const TargetRecord*>> keys;
  for_each_record<TargetRecord>(
      buffers, [&](const TargetRecord& record) { keys.emplace_back(record.hash, &record); });
  std::sort(keys.begin(), keys.end(), [](const auto& a, const auto& b) {
    if (a.first != b.first) return a.first < b.first;
    return std::ranges::lexicographical_compare(a.second->words(), b.second->words());
  });
  std::vector<const TargetRecord*> sorted;
  sorted.reserve(keys.size());
  for (const auto& key : keys) sorted.push_back(key.second);
  return sorted;
}

bool same_source(const RuleRecord& a, const RuleRecord& b) {
  return a.source_hash == b.source_hash && equal(a.source(), b.source());
}

bool same_pair(const RuleRecord& a, const RuleRecord& b) {
  return same_source(a, b) && a.target_hash == b.target_hash && equal(a.target(), b.target());
}

bool same_links(const RuleRecord& a, const RuleRecord& b) {
  return a.link_count == b.link_count &&
         std::memcmp(a.links().data(), b.links().data(), a.link_count) == 0;
}

bool same_target(const TargetRecord& a, const TargetRecord& b) {
  return a.hash == b.hash && equal(a.words(), b.words());
}

Run merge_rules(std::span<const ByteView> buffers) {
  const auto same = [](const RuleRecord& a, const RuleRecord& b) {
    return same_pair(a, b) && same_links(a, b) && a.orientations == b.orientations;
  };
  const auto add = [](RuleRecord& kept, const RuleRecord& other) {
    if (other.count > std::numeric_limits<std::uint32_t>::max() - kept.count) return false;
    kept.count += other.count;
    kept.domains |= other.domains;
    return true;
  };
  return merge(sorted_rules(buffers), same, add, &RuleRecord::source_hash);
}

Run merge_targets(std::span<const ByteView> buffers) {
  const auto add = [](TargetRecord& kept, const TargetRecord& other) {
    kept.add(other);
    return true;
  };
  return merge(sorted_targets(buffers), same_target, add, &TargetRecord::hash);
}

}  // namespace miriam::rules
