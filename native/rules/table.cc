#include "rules/table.hh"

#include <algorithm>
#include <bit>
#include <numeric>

#include "base/error.hh"

namespace miriam::rules {
namespace {

// Seven source phrases a bucket at the most on average: one in a hundred buckets has more than its
// fourteen tags.
constexpr std::size_t kBucketLoad = 7;

std::uint32_t tag_of(std::uint64_t hash) { return static_cast<std::uint32_t>(hash); }

// A shift by 64 is undefined, so the leading bits are taken in two steps.
std::size_t leading(std::uint64_t hash, unsigned shift) { return (hash >> 1) >> (shift - 1); }

unsigned shift_for(std::size_t buckets) {
  return 64 - static_cast<unsigned>(std::countr_zero(buckets));
}

[[noreturn]] void refuse() {
  throw ModelError("a rule table whose arrays do not fit together; build it again");
}

bool covers(std::span<const std::uint64_t> ends, std::size_t size) {
  return (ends.empty() ? 0 : ends.back()) == size;
}

}  // namespace

PhraseIndex::PhraseIndex(std::span<const Bucket> buckets, std::span<const Head> heads,
                         std::span<const WordId> words)
    : buckets_(buckets), heads_(heads), words_(words), shift_(shift_for(buckets.size())) {
  if (!std::has_single_bit(buckets.size()) || heads.empty() || heads.back().words != words.size()) {
    refuse();
  }
}

const Bucket& PhraseIndex::bucket(std::uint64_t hash) const {
  return buckets_[leading(hash, shift_)];
}

std::size_t PhraseIndex::candidate(std::uint64_t hash) const {
  const Bucket& bucket = this->bucket(hash);
  const std::uint32_t tag = tag_of(hash);
  for (std::size_t i = 0; i < bucket.size; ++i) {
    if (i >= bucket.tags.size() || bucket.tags[i] == tag) return bucket.first + i;
  }
  return size();
}

std::size_t PhraseIndex::find(std::span<const WordId> phrase) const {
  const std::uint64_t hash = hash_phrase(phrase);
  const Bucket& bucket = this->bucket(hash);
  const std::size_t stop = std::size_t{bucket.first} + bucket.size;
  for (std::size_t number = candidate(hash); number < stop; ++number) {
    if (std::ranges::equal(this->phrase(number), phrase)) return number;
  }
  return size();
}

void PhraseIndex::find_all(std::span<const WordId> words, std::span<const std::uint64_t> ends,
                           std::span<std::uint64_t> numbers) const {
  constexpr std::size_t kAtATime = 16;
  std::array<std::uint64_t, kAtATime> hashes;
  for (std::size_t begin = 0; begin < ends.size(); begin += kAtATime) {
    const std::size_t size = std::min(kAtATime, ends.size() - begin);
    for (std::size_t i = 0; i < size; ++i) {
      hashes[i] = hash_phrase(piece(words, ends, begin + i));
      __builtin_prefetch(&bucket(hashes[i]));
    }
    for (std::size_t i = 0; i < size; ++i) {
      numbers[begin + i] = candidate(hashes[i]);
      __builtin_prefetch(&heads_[numbers[begin + i]]);
    }
    for (std::size_t i = 0; i < size; ++i) {
      __builtin_prefetch(words_.data() + heads_[numbers[begin + i]].words);
    }
    for (std::size_t i = 0; i < size; ++i) {
      std::uint64_t& number = numbers[begin + i];
      if (number != this->size()) number = find(piece(words, ends, begin + i));
    }
  }
}

TableView::TableView(const TableArrays& a)
    : arrays_(a),
      sources_(a.buckets, a.heads, a.source_words),
      score_count_(a.targets.empty() ? 0 : a.scores.size() / a.targets.size()) {
  if (a.heads.back().rules != a.targets.size() || a.links.size() != a.targets.size() ||
      a.scores.size() != score_count_ * a.targets.size() ||
      !covers(a.target_ends, a.target_words.size()) || !covers(a.link_ends, a.link_points.size())) {
    refuse();
  }
}

std::size_t bucket_count(std::size_t phrases) { return std::bit_ceil(phrases / kBucketLoad + 1); }

std::vector<Bucket> make_buckets(std::span<const std::uint64_t> hashes, std::size_t first,
                                 std::size_t begin, std::size_t end, std::size_t total) {
  std::vector<Bucket> buckets(end - begin);
  const unsigned shift = shift_for(total);
  std::size_t i = 0;
  for (std::size_t b = begin; b < end; ++b) {
    Bucket& bucket = buckets[b - begin];
    bucket.first = static_cast<std::uint32_t>(first + i);
    for (; i < hashes.size() && leading(hashes[i], shift) == b; ++i, ++bucket.size) {
      if (bucket.size < bucket.tags.size()) bucket.tags[bucket.size] = tag_of(hashes[i]);
    }
  }
  if (i != hashes.size()) throw ModelError("phrases that are not sorted by hash");
  return buckets;
}

Grouping group_phrases(std::span<const WordId> words, std::span<const std::uint64_t> ends) {
  const std::vector<std::uint64_t> hashes = hash_phrases(words, ends);
  Grouping groups;
  groups.order.resize(ends.size());
  std::iota(groups.order.begin(), groups.order.end(), 0);
  const auto same = [&](std::uint64_t a, std::uint64_t b) {
    return hashes[a] == hashes[b] &&
           std::ranges::equal(piece(words, ends, a), piece(words, ends, b));
  };
  std::sort(groups.order.begin(), groups.order.end(), [&](std::uint64_t a, std::uint64_t b) {
    if (hashes[a] != hashes[b]) return hashes[a] < hashes[b];
    const auto left = piece(words, ends, a);
    const auto right = piece(words, ends, b);
    if (!std::ranges::equal(left, right)) {
      return std::ranges::lexicographical_compare(left, right);
    }
    return a < b;
  });
  for (std::size_t i = 0; i < groups.order.size(); ++i) {
    if (i == 0 || !same(groups.order[i - 1], groups.order[i])) groups.starts.push_back(i);
  }
  return groups;
}

std::vector<std::uint64_t> hash_phrases(std::span<const WordId> words,
                                        std::span<const std::uint64_t> ends) {
  std::vector<std::uint64_t> hashes(ends.size());
  for (std::size_t i = 0; i < ends.size(); ++i) hashes[i] = hash_phrase(piece(words, ends, i));
  return hashes;
}

}  // namespace miriam::rules
