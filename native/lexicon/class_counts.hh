// How often each class follows each history, and x ln x from a table.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace miriam::lexicon {

using ClassId = std::uint32_t;

// x ln x of counts, 0 for 0; those of small counts lie in a table.
class XLogX {
 public:
  XLogX() : table_(kTable) {
    for (std::size_t x = 2; x < kTable; ++x) table_[x] = compute(static_cast<double>(x));
  }
  double operator()(std::uint64_t x) const {
    return x < kTable ? table_[x] : compute(static_cast<double>(x));
  }

 private:
  static constexpr std::size_t kTable = std::size_t{1} << 14;
  static double compute(double x) { return x * std::log(x); }
  std::vector<double> table_;
};

// N(h, c), a row a history. A history that few words follow has a list of classes and counts, any
// other one a count for each class: a row is never larger than twice the words that follow.
class ClassCounts {
 public:
  // `followers[h]` is the number of different words that follow history h.
  ClassCounts(std::span<const std::uint32_t> followers, std::size_t classes) : classes_(classes) {
    rows_.reserve(followers.size());
    std::uint64_t begin = 0;
    for (const std::uint32_t n : followers) {
      const auto room = static_cast<std::uint32_t>(std::min<std::size_t>(n, classes / 2 + 1));
      const bool is_full = 2 * std::size_t{room} > classes;
      rows_.push_back({begin, room, 0, is_full});
      begin += is_full ? classes : 2 * room;
    }
    numbers_.resize(begin);
  }

  std::size_t histories() const { return rows_.size(); }

  std::uint32_t at(std::size_t history, ClassId c) const {
    const Row& row = rows_[history];
    const std::uint32_t* begin = numbers_.data() + row.begin;
    if (row.is_full) return begin[c];
    const std::uint32_t i = find(row, begin, c);
    return i == row.size ? 0 : begin[row.room + i];
  }

  void add(std::size_t history, ClassId c, std::uint32_t n) {
    Row& row = rows_[history];
    std::uint32_t* begin = numbers_.data() + row.begin;
    if (row.is_full) {
      begin[c] += n;
      return;
    }
    const std::uint32_t i = find(row, begin, c);
    if (i == row.size) {
      begin[i] = c;
      begin[row.room + i] = 0;
      ++row.size;
    }
    begin[row.room + i] += n;
  }

  // Takes n off a count that is n or more.
  void subtract(std::size_t history, ClassId c, std::uint32_t n) {
    Row& row = rows_[history];
    std::uint32_t* begin = numbers_.data() + row.begin;
    if (row.is_full) {
      begin[c] -= n;
      return;
    }
    const std::uint32_t i = find(row, begin, c);
    if ((begin[row.room + i] -= n) > 0) return;
    --row.size;
    begin[i] = begin[row.size];
    begin[row.room + i] = begin[row.room + row.size];
  }

  // Calls use(c, count) for each class that follows, and maybe for others with count 0.
  template <class Use>
  void for_each(std::size_t history, const Use& use) const {
    const Row& row = rows_[history];
    const std::uint32_t* begin = numbers_.data() + row.begin;
    if (row.is_full) {
      for (ClassId c = 0; c < classes_; ++c) use(c, begin[c]);
    } else {
      for (std::uint32_t i = 0; i < row.size; ++i) use(begin[i], begin[row.room + i]);
    }
  }

 private:
  struct Row {
    std::uint64_t begin;  // of its numbers: a count a class, or `room` classes and `room` counts
    std::uint32_t room;
    std::uint32_t size;  // classes in the list
    bool is_full;
  };

  static std::uint32_t find(const Row& row, const std::uint32_t* classes, ClassId c) {
    return static_cast<std::uint32_t>(std::find(classes, classes + row.size, c) - classes);
  }

  std::size_t classes_;
  std::vector<Row> rows_;
  std::vector<std::uint32_t> numbers_;
};

}  // namespace miriam::lexicon
