// EM for the translation probabilities of both directions.
//
// 1. Training(bitext, …) numbers the word pairs; all translations are equally likely.
// 2. expect(models, …) finds the posteriors of all sentence pairs, adds them to the counts, and
//    returns what the position models are to be reestimated from.
// 3. maximise(alpha) turns the counts into probabilities; go on with 2.
// 4. table() is the result.
//
// Counts are integers, posteriors in units of 2^-30: the order of additions does not matter, so
// any number of threads gives the same bytes, and no thread needs counts of its own.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "align/bitext.hh"
#include "align/cooccurrence.hh"
#include "align/positions.hh"
#include "align/table.hh"
#include "base/progress.hh"

namespace miriam::align {

// The position models of both directions.
struct Models {
  Positions forward;  // target words observed, source words given
  Positions reverse;
  // Count the product of both posteriors (Liang, Taskar and Klein 2006), or each its own.
  bool agree = false;
};

// Sums of posteriors, exact in any order.
class Counts {
 public:
  Counts() = default;
  explicit Counts(std::size_t size)
      : size_(size), values_(new std::atomic<std::uint64_t>[size]()) {}
  std::size_t size() const { return size_; }
  std::uint64_t operator[](std::size_t i) const {
    return values_[i].load(std::memory_order_relaxed);
  }
  void clear() {
    for (std::size_t i = 0; i < size_; ++i) values_[i].store(0, std::memory_order_relaxed);
  }
  void add(std::size_t i, float posterior) {
    constexpr float kUnit = 1u << 30;
    const auto amount = static_cast<std::uint64_t>(static_cast<std::int32_t>(posterior * kUnit));
    if (amount == 0) return;
    if (alone_) {
      values_[i].store((*this)[i] + amount, std::memory_order_relaxed);
    } else {
      values_[i].fetch_add(amount, std::memory_order_relaxed);
    }
  }
  // Only one thread will add: spares the atomic additions.
  void set_alone(bool alone) { alone_ = alone; }

 private:
  std::size_t size_ = 0;
  std::unique_ptr<std::atomic<std::uint64_t>[]> values_;
  bool alone_ = false;
};

class Training {
 public:
  // The arrays of the bitext must outlive this.
  Training(const Bitext& bitext, const Vocabularies& sizes, unsigned threads, Progress& progress);

  std::array<std::vector<double>, 2> expect(const Models& models, unsigned threads,
                                            Progress& progress);
  // alpha > 0: the mean-field update under a symmetric Dirichlet prior (Johnson 2007; Dyer,
  // Chahuneau and Smith 2013, section 2.2); 0: relative frequencies.
  void maximise(double alpha, unsigned threads);
  // The word pairs that are likelier than the floor in one of the directions.
  Table table() const;

 private:
  void expect_pair(std::size_t pair, const Models& models, PairCells& cells,
                   std::array<std::vector<double>, 2>& statistics);

  Bitext bitext_;
  Cooccurrence pairs_;
  std::vector<Translation> translations_;
  std::vector<float> target_null_, source_null_;
  Counts forward_, reverse_;  // by word pair; where models agree, both are in `forward_`
  Counts target_nulls_, source_nulls_;
  bool agreed_ = false;
};

}  // namespace miriam::align
