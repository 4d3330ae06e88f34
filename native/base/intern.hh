// Numbers for values that come again and again, so that the search compares and stores integers.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "base/hash.hh"

namespace miriam {

inline constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

// An open-addressing index from hashes to numbers; what a number stands for is kept elsewhere.
class HashIndex {
 public:
  HashIndex() : slots_(kSmallest) {}

  // The number that has this hash and is `same`, or else `fresh`, which is now in the index.
  template <class Same>
  std::uint32_t find_or_add(std::uint64_t hash, std::uint32_t fresh, const Same& same) {
    if (2 * (count_ + 1) > slots_.size()) grow();
    const std::size_t mask = slots_.size() - 1;
    for (std::size_t at = hash & mask;; at = (at + 1) & mask) {
      Slot& slot = slots_[at];
      if (slot.number == kNone) {
        slot = {hash, fresh};
        ++count_;
        return fresh;
      }
      if (slot.hash == hash && same(slot.number)) return slot.number;
    }
  }
  // The number that has this hash and is `same`, or kNone.
  template <class Same>
  std::uint32_t find(std::uint64_t hash, const Same& same) const {
    const std::size_t mask = slots_.size() - 1;
    for (std::size_t at = hash & mask; slots_[at].number != kNone; at = (at + 1) & mask)
      if (slots_[at].hash == hash && same(slots_[at].number)) return slots_[at].number;
    return kNone;
  }
  // Forgets everything, and gives memory back if little of it was used.
  void clear() {
    if (slots_.size() > kSmallest && 16 * count_ < slots_.size()) slots_.resize(slots_.size() / 4);
    std::fill(slots_.begin(), slots_.end(), Slot{});
    count_ = 0;
  }

 private:
  static constexpr std::size_t kSmallest = 64;
  struct Slot {
    std::uint64_t hash = 0;
    std::uint32_t number = kNone;
  };

  void grow() {
    std::vector<Slot> old(2 * slots_.size());
    old.swap(slots_);
    const std::size_t mask = slots_.size() - 1;
    for (const Slot& slot : old) {
      if (slot.number == kNone) continue;
      std::size_t at = slot.hash & mask;
      while (slots_[at].number != kNone) at = (at + 1) & mask;
      slots_[at] = slot;
    }
  }

  std::vector<Slot> slots_;
  std::size_t count_ = 0;
};

// Numbers for plain values that have hash() and ==.
template <class Value>
class ValueTable {
 public:
  std::uint32_t intern(const Value& value) {
    const auto fresh = static_cast<std::uint32_t>(values_.size());
    const std::uint32_t number = index_.find_or_add(
        value.hash(), fresh, [&](std::uint32_t other) { return values_[other] == value; });
    if (number == fresh) values_.push_back(value);
    return number;
  }
  const Value& operator[](std::uint32_t number) const { return values_[number]; }
  std::size_t size() const { return values_.size(); }
  void clear() {
    values_.clear();
    index_.clear();
  }

 private:
  std::vector<Value> values_;
  HashIndex index_;
};

// Numbers for sequences of integers.
class SequenceTable {
  struct Same {
    const SequenceTable* table;
    std::span<const std::uint32_t> sequence;
    bool operator()(std::uint32_t other) const {
      return std::ranges::equal((*table)[other], sequence);
    }
  };

 public:
  std::uint32_t intern(std::span<const std::uint32_t> sequence) {
    const auto fresh = static_cast<std::uint32_t>(ends_.size());
    const std::uint32_t number = index_.find_or_add(hash(sequence), fresh, Same{this, sequence});
    if (number == fresh) {
      items_.insert(items_.end(), sequence.begin(), sequence.end());
      ends_.push_back(static_cast<std::uint32_t>(items_.size()));
    }
    return number;
  }
  // The sequence's number, or kNone.
  std::uint32_t find(std::span<const std::uint32_t> sequence) const {
    return index_.find(hash(sequence), Same{this, sequence});
  }
  std::span<const std::uint32_t> operator[](std::uint32_t number) const {
    const std::uint32_t begin = number == 0 ? 0 : ends_[number - 1];
    return {items_.data() + begin, ends_[number] - begin};
  }
  std::size_t size() const { return ends_.size(); }
  void clear() {
    items_.clear();
    ends_.clear();
    index_.clear();
  }

 private:
  static std::uint64_t hash(std::span<const std::uint32_t> sequence) {
    std::uint64_t hash = sequence.size();
    for (const std::uint32_t item : sequence) hash = combine(hash, item);
    return hash;
  }
  std::vector<std::uint32_t> items_;
  std::vector<std::uint32_t> ends_;
  HashIndex index_;
};

// Remembered results of a function of two numbers.
template <class Result>
class PairMemo {
 public:
  PairMemo() : slots_(kSmallest) {}

  // The result for (a, b), computed by `make` the first time.
  template <class Make>
  const Result& get(std::uint32_t a, std::uint32_t b, const Make& make) {
    const std::uint64_t key = std::uint64_t{a} << 32 | b;
    const std::size_t mask = slots_.size() - 1;
    std::size_t at = mix(key) & mask;
    for (; slots_[at].key != kFree; at = (at + 1) & mask)
      if (slots_[at].key == key) return slots_[at].result;
    if (2 * (count_ + 1) > slots_.size()) {
      grow();
      at = free_slot(key);
    }
    ++count_;
    slots_[at] = {key, make()};
    return slots_[at].result;
  }
  bool has(std::uint32_t a, std::uint32_t b) const {
    const std::uint64_t key = std::uint64_t{a} << 32 | b;
    const std::size_t mask = slots_.size() - 1;
    std::size_t at = mix(key) & mask;
    while (slots_[at].key != kFree && slots_[at].key != key) at = (at + 1) & mask;
    return slots_[at].key == key;
  }
  std::size_t size() const { return count_; }
  // Forgets everything, and gives memory back if little of it was used.
  void clear() {
    if (slots_.size() > kSmallest && 16 * count_ < slots_.size()) slots_.resize(slots_.size() / 4);
    std::fill(slots_.begin(), slots_.end(), Slot{});
    count_ = 0;
  }

 private:
  static constexpr std::size_t kSmallest = 1024;
  static constexpr std::uint64_t kFree = ~std::uint64_t{0};
  struct Slot {
    std::uint64_t key = kFree;
    Result result{};
  };

  std::size_t free_slot(std::uint64_t key) const {
    const std::size_t mask = slots_.size() - 1;
    std::size_t at = mix(key) & mask;
    while (slots_[at].key != kFree) at = (at + 1) & mask;
    return at;
  }
  void grow() {
    std::vector<Slot> old(2 * slots_.size());
    old.swap(slots_);
    for (const Slot& slot : old)
      if (slot.key != kFree) slots_[free_slot(slot.key)] = slot;
  }

  std::vector<Slot> slots_;
  std::size_t count_ = 0;
};

}  // namespace miriam
