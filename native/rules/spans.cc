#include "rules/spans.hh"

#include <algorithm>
#include <limits>

namespace miriam::rules {

void Matrix::reset(int source_words, int target_words) {
  sources_ = source_words;
  targets_ = target_words;
  cells_.assign(
      static_cast<std::size_t>(source_words + 2) * static_cast<std::size_t>(target_words + 2), 0);
  // Both ends of the sentence count as aligned with each other, and as phrase pairs (section 3.2 of
  // Galley and Manning 2008).
  at(-1, -1) = kLink | kRight;
  at(source_words, target_words) = kLink | kTopLeft;
}

std::span<const PhrasePair> SpanFinder::find(int source_words, int target_words,
                                             std::span<const align::Link> links) {
  matrix_.reset(source_words, target_words);
  prepare(links);
  pairs_.clear();
  for (int begin = 0; begin < target_words; ++begin) {
    const int stop = any_length_ ? target_words : std::min(target_words, begin + max_length_);
    int first = source_words;
    int last = -1;
    for (int end = begin + 1; end <= stop; ++end) {
      const Extent& word = covered_[static_cast<std::size_t>(end - 1)];
      first = std::min(first, word.first);
      last = std::max(last, word.last);
      if (first > last) continue;
      const int within_target = target_links_[static_cast<std::size_t>(end)] -
                                target_links_[static_cast<std::size_t>(begin)];
      const int within_source = source_links_[static_cast<std::size_t>(last + 1)] -
                                source_links_[static_cast<std::size_t>(first)];
      if (within_target == within_source) meet(begin, end, first, last);
    }
  }
  return pairs_;
}

void SpanFinder::prepare(std::span<const align::Link> links) {
  const auto sources = static_cast<std::size_t>(matrix_.source_words());
  const auto targets = static_cast<std::size_t>(matrix_.target_words());
  source_links_.assign(sources + 1, 0);
  target_links_.assign(targets + 1, 0);
  covered_.assign(targets, {std::numeric_limits<int>::max(), -1});
  for (const align::Link& link : links) {
    const auto source = static_cast<int>(link.source);
    ++source_links_[link.source + 1];
    ++target_links_[link.target + 1];
    Extent& extent = covered_[link.target];
    extent.first = std::min(extent.first, source);
    extent.last = std::max(extent.last, source);
    matrix_.at(source, static_cast<int>(link.target)) = kLink;
  }
  reach_.resize(sources);
  for (int i = 0, first = 0; i < static_cast<int>(sources); ++i) {
    const auto at = static_cast<std::size_t>(i);
    reach_[at].first = first;
    if (source_links_[at + 1] > 0) first = i + 1;
  }
  for (int i = static_cast<int>(sources) - 1, last = i; i >= 0; --i) {
    const auto at = static_cast<std::size_t>(i);
    reach_[at].last = last;
    if (source_links_[at + 1] > 0) last = i - 1;
  }
  for (std::size_t i = 0; i < sources; ++i) source_links_[i + 1] += source_links_[i];
  for (std::size_t i = 0; i < targets; ++i) target_links_[i + 1] += target_links_[i];
}

// Takes in the consistent pair whose source side, without unaligned words beside it, is
// [first, last], with all those that take up unaligned words.
void SpanFinder::meet(int target_begin, int target_end, int first, int last) {
  if (any_length_) mark_any(target_begin, target_end, first, last);
  if (target_end - target_begin > max_length_) return;
  const int begin_stop = reach_[static_cast<std::size_t>(first)].first;
  const int end_stop = reach_[static_cast<std::size_t>(last)].last + 1;
  for (int begin = first; begin >= begin_stop && last - begin < max_length_; --begin) {
    for (int end = last + 1; end <= end_stop && end - begin <= max_length_; ++end) {
      pairs_.push_back({begin, end, target_begin, target_end});
      matrix_.at(begin, target_end - 1) |= kShortLeft;
      matrix_.at(end - 1, target_end - 1) |= kShortRight;
    }
  }
}

// A run of corners always begins at an aligned word and is marked whole, so one look at its
// beginning tells whether it has been: the cost stays quadratic in the sentence.
void SpanFinder::mark_any(int target_begin, int target_end, int first, int last) {
  const Extent left{reach_[static_cast<std::size_t>(first)].first, first};
  const Extent right{last, reach_[static_cast<std::size_t>(last)].last};
  const auto mark = [&](const Extent& run, int start, int target, Mark corner) {
    if (matrix_.at(start, target) & corner) return;
    for (int i = run.first; i <= run.last; ++i) matrix_.at(i, target) |= corner;
  };
  mark(left, first, target_end - 1, kLeft);
  mark(right, last, target_end - 1, kRight);
  mark(left, first, target_begin, kTopLeft);
  mark(right, last, target_begin, kTopRight);
}

}  // namespace miriam::rules
