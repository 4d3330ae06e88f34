#include "lm/counts.hh"

#include <algorithm>

#include "base/error.hh"

namespace miriam::lm {

void CountStatistics::add(std::uint32_t packed) {
  ++all;
  if (!Count::pruned(packed)) ++kept;
  if (Count::value(packed) < with_count.size()) ++with_count[Count::value(packed)];
}

// Without n-grams of each count from 1 to 3, or with a discount that would take nothing or more
// than there is, the formula says nothing about this text.
Discount CountStatistics::discount() const {
  const auto n = [this](std::size_t count) { return static_cast<double>(with_count[count]); };
  if (n(1) == 0 || n(2) == 0 || n(3) == 0) return kFallbackDiscount;
  const double y = n(1) / (n(1) + 2 * n(2));
  Discount result;
  for (std::size_t count = 1; count <= 3; ++count) {
    const auto c = static_cast<double>(count);
    result.amount[count] = c - (c + 1) * y * n(count + 1) / n(count);
    if (result.amount[count] <= 0) return kFallbackDiscount;
  }
  return result;
}

bool Pruning::drops(std::span<const WordId> words, std::uint32_t seen) const {
  if (words.size() == 1 && words[0] < kSpecials) return false;
  if (seen <= thresholds[words.size() - 1]) return true;
  return !outside.empty() &&
         std::any_of(words.begin(), words.end(), [this](WordId word) { return outside[word]; });
}

void NgramSorter::add_sentence(std::span<const WordId> words) {
  std::fill_n(window_.begin(), order_, kBegin);
  for (const WordId word : words) add(word);
  add(kEnd);
}

void NgramSorter::add(WordId word) {
  std::copy_backward(window_.begin(), window_.begin() + order_ - 1, window_.begin() + order_);
  window_[0] = word;
  window_[order_] = 1;
  if (++tokens_ >= Count::kPruned) throw InputError("a text of more than two billion words");
  sorter_.push(window_.data());
}

Sorter& NgramSorter::finish() {
  sorter_.finish();
  return sorter_;
}

// Takes up an n-gram whose newest `same` words are those of the one before.
void CountAdjuster::open(const std::uint32_t* words, std::uint32_t count, std::size_t same) {
  for (std::size_t n = 1; n <= same; ++n) seen_[n] += count;
  if (same > 0) ++adjusted_[same];
  std::copy_n(words, order_, words_.begin());
  for (length_ = same; length_ < order_;) {
    const WordId oldest = words_[length_++];
    seen_[length_] = count;
    adjusted_[length_] = 1;
    if (oldest == kBegin) break;
  }
  adjusted_[length_] = count;
}

}  // namespace miriam::lm
