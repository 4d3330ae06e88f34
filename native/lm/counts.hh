// From sentences of word ids to n-grams with adjusted counts, and the discounts these allow.
//
// Words of an n-gram are kept newest first, so that plain lexicographic order is suffix order
// (Heafield et al. 2013, section 3.1): w_n, w_n-1, ..., w_1.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "base/progress.hh"
#include "lm/ngram.hh"
#include "lm/records.hh"

namespace miriam::lm {

// A count and whether pruning leaves the n-gram out; 31 bits are enough for any text read here.
struct Count {
  static constexpr std::uint32_t kPruned = std::uint32_t{1} << 31;
  static std::uint32_t pack(std::uint32_t count, bool pruned) {
    return count | (pruned ? kPruned : 0);
  }
  static std::uint32_t value(std::uint32_t packed) { return packed & ~kPruned; }
  static bool pruned(std::uint32_t packed) { return packed & kPruned; }
};

// What is taken off the counts 1, 2, and 3 or more (Chen and Goodman 1998, equation 26).
struct Discount {
  std::array<double, 4> amount{};  // of count 0, 1, 2, 3+
  bool fallback = false;           // the counts of counts allowed none
  double of(std::uint32_t count) const { return amount[count < 3 ? count : 3]; }
};

inline constexpr Discount kFallbackDiscount{{0, 0.5, 1, 1.5}, true};

// The n-grams of one order that have count 1, 2, 3 and 4, and how many there are.
struct CountStatistics {
  std::array<std::uint64_t, 5> with_count{};
  std::uint64_t all = 0;
  std::uint64_t kept = 0;  // those that are not pruned
  void add(std::uint32_t packed);
  Discount discount() const;
};

// Which n-grams are left out, though their counts serve to estimate the others.
struct Pruning {
  std::vector<std::uint32_t> thresholds;  // per order: n-grams seen so often or less go
  std::vector<bool> outside;              // words that the vocabulary leaves out; may be empty
  bool drops(std::span<const WordId> words, std::uint32_t seen) const;
};

// The n-grams of the highest order, of sentences with one <s> in front and </s> behind.
class NgramSorter {
 public:
  NgramSorter(std::size_t order, std::uint64_t limit_bytes, const Workspace& workspace)
      : order_(order), sorter_(order + 1, limit_bytes, workspace) {}
  void add_sentence(std::span<const WordId> words);
  std::uint64_t tokens() const { return tokens_; }  // </s> included
  Sorter& finish();

 private:
  void add(WordId word);

  std::size_t order_;
  Sorter sorter_;
  std::uint64_t tokens_ = 0;
  std::array<std::uint32_t, kMaxOrder + 1> window_{};
};

// Streams the sorted n-grams of the highest order and says for each n-gram of each order its
// adjusted count: how many different words precede it, or how often it was seen if it begins with
// <s> or has the highest order.
class CountAdjuster {
 public:
  CountAdjuster(std::size_t order, const Pruning& pruning)
      : order_(order), pruning_(pruning), statistics_(order) {}
  // Calls emit(words, packed count) in suffix order within each order.
  template <class Emit>
  void run(MergeReader reader, Progress& progress, const Emit& emit);
  const std::vector<CountStatistics>& statistics() const { return statistics_; }

 private:
  template <class Emit>
  void close(std::size_t down_to, const Emit& emit);
  void open(const std::uint32_t* words, std::uint32_t count, std::size_t same);

  std::size_t order_;
  const Pruning& pruning_;
  std::vector<CountStatistics> statistics_;
  std::array<WordId, kMaxOrder> words_{};
  std::array<std::uint32_t, kMaxOrder + 1> seen_{};      // by order: times seen
  std::array<std::uint32_t, kMaxOrder + 1> adjusted_{};  // by order
  std::size_t length_ = 0;                               // the longest n-gram of words_
};

template <class Emit>
void CountAdjuster::close(std::size_t down_to, const Emit& emit) {
  for (std::size_t n = length_; n > down_to; --n) {
    const std::span words{words_.data(), n};
    const std::uint32_t packed = Count::pack(adjusted_[n], pruning_.drops(words, seen_[n]));
    statistics_[n - 1].add(packed);
    emit(words, packed);
  }
}

template <class Emit>
void CountAdjuster::run(MergeReader reader, Progress& progress, const Emit& emit) {
  std::array<std::uint32_t, kMaxOrder> current;
  while (const std::uint32_t* record = reader.peek()) {
    std::copy_n(record, order_, current.begin());
    std::uint32_t count = 0;
    for (; record && std::equal(record, record + order_, current.begin());
         reader.next(), record = reader.peek()) {
      count += record[order_];
    }
    std::size_t same = 0;
    while (same < length_ && words_[same] == current[same]) ++same;
    close(same, emit);
    open(current.data(), count, same);
    progress.advance(count);
  }
  close(0, emit);
}

}  // namespace miriam::lm
