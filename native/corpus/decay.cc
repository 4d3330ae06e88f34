#include "corpus/decay.hh"

#include <algorithm>
#include <cmath>

#include "base/error.hh"
#include "base/intern.hh"

namespace miriam::corpus {
namespace {

using Words = std::span<const std::uint32_t>;

template <class Use>
void for_each_line(const Lines& lines, const Use& use) {
  std::uint64_t begin = 0;
  for (const std::uint64_t end : lines.ends) {
    if (end < begin || end > lines.words.size()) throw ConfigError("lines whose ends do not fit");
    use(lines.words.subspan(begin, end - begin));
    begin = end;
  }
}

SequenceTable ngrams_of(const Lines& text, std::uint32_t longest) {
  SequenceTable features;
  for_each_line(text, [&](Words line) {
    for (std::size_t i = 0; i < line.size(); ++i)
      for (std::size_t n = 1; n <= std::min<std::size_t>(longest, line.size() - i); ++n)
        features.intern(line.subspan(i, n));
  });
  return features;
}

// The features of each line of the pool, ascending: where each line ends in them, and counts.
struct Occurrences {
  std::vector<std::uint64_t> ends;
  std::vector<std::uint32_t> features, counts;
  std::vector<std::uint32_t> lengths;  // of each line, in words
  std::vector<std::uint64_t> totals;   // of each feature, in the whole pool
};

Occurrences find_all(const Lines& pool, const SequenceTable& features, std::uint32_t longest,
                     Progress& progress) {
  Occurrences out;
  out.totals.resize(features.size());
  std::vector<std::uint32_t> found;
  for_each_line(pool, [&](Words line) {
    found.clear();
    for (std::size_t i = 0; i < line.size(); ++i) {
      const std::size_t most = std::min<std::size_t>(longest, line.size() - i);
      for (std::size_t n = 1; n <= most && line[i + n - 1] != kOtherWord; ++n) {
        const std::uint32_t feature = features.find(line.subspan(i, n));
        if (feature == kNone) break;  // nor does the text have a longer one
        found.push_back(feature);
      }
    }
    std::ranges::sort(found);
    for (std::size_t i = 0; i < found.size();) {
      std::size_t end = i;
      while (end < found.size() && found[end] == found[i]) ++end;
      out.features.push_back(found[i]);
      out.counts.push_back(static_cast<std::uint32_t>(end - i));
      out.totals[found[i]] += end - i;
      i = end;
    }
    out.ends.push_back(out.features.size());
    out.lengths.push_back(static_cast<std::uint32_t>(line.size()));
    progress.advance();
  });
  return out;
}

struct Bound {
  double score;
  std::uint32_t line;
  friend bool operator<(const Bound& a, const Bound& b) {
    return a.score != b.score ? a.score < b.score : a.line > b.line;
  }
};

}  // namespace

Chosen choose_by_decay(const Lines& pool, const Lines& text, std::uint32_t longest,
                       std::size_t count, Progress& progress) {
  count = std::min(count, pool.ends.size());
  progress.expect(pool.ends.size() + count);
  const SequenceTable features = ngrams_of(text, longest);
  const Occurrences of = find_all(pool, features, longest, progress);
  std::vector<double> first(features.size());  // what a feature is worth before any choice
  for (std::size_t f = 0; f < first.size(); ++f)
    if (of.totals[f] > 0)
      first[f] = std::log(static_cast<double>(pool.words.size())) -
                 std::log(static_cast<double>(of.totals[f]));
  std::vector<double> worth = first;
  std::vector<std::uint64_t> chosen_counts(features.size());
  const auto begin_of = [&](std::uint32_t line) { return line == 0 ? 0 : of.ends[line - 1]; };
  const auto score = [&](std::uint32_t line) {
    double sum = 0;
    for (std::uint64_t i = begin_of(line); i < of.ends[line]; ++i)
      sum += worth[of.features[i]] * of.counts[i];
    return sum / of.lengths[line];
  };

  std::vector<Bound> queue;
  for (std::uint32_t line = 0; line < of.ends.size(); ++line)
    if (begin_of(line) < of.ends[line]) queue.push_back({score(line), line});
  std::make_heap(queue.begin(), queue.end());
  Chosen chosen;
  while (chosen.lines.size() < count && !queue.empty()) {
    std::pop_heap(queue.begin(), queue.end());
    Bound& best = queue.back();
    best.score = score(best.line);
    if (queue.size() > 1 && best < queue.front()) {
      std::push_heap(queue.begin(), queue.end());
      continue;
    }
    if (best.score <= 0) break;
    chosen.lines.push_back(best.line);
    chosen.scores.push_back(best.score);
    for (std::uint64_t i = begin_of(best.line); i < of.ends[best.line]; ++i) {
      const std::uint32_t f = of.features[i];
      chosen_counts[f] += of.counts[i];
      worth[f] = first[f] / static_cast<double>(1 + chosen_counts[f]);
    }
    queue.pop_back();
    progress.advance();
  }
  return chosen;
}

}  // namespace miriam::corpus
