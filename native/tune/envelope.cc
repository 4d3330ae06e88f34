#include "tune/envelope.hh"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "base/error.hh"
#include "base/parallel.hh"

namespace miriam::tune {
namespace {

constexpr std::size_t kSentencesPerTask = 32;
constexpr std::size_t kCandidatesPerTask = 1 << 14;

struct Line {
  double slope;
  double intercept;
  std::int64_t candidate;
  double start = 0;  // where it becomes the best
};

// The order of the sweep; of equal lines the first candidate comes first.
bool sweeps_before(const Line& one, const Line& other) {
  if (one.slope != other.slope) return one.slope < other.slope;
  if (one.intercept != other.intercept) return one.intercept > other.intercept;
  return one.candidate < other.candidate;
}

// A line is a point (slope, intercept), and the envelope the upper hull of the points. Three points
// of the hull are found in one pass: the least slope, the greatest, and the greatest intercept.
// What lies clearly below the two chords between them cannot be on the hull; that is nearly all.
class Sentence {
 public:
  Sentence(std::span<const double> intercepts, std::span<const double> slopes)
      : b_(intercepts), a_(slopes) {
    for (std::size_t i = 1; i < a_.size(); ++i) {
      if (a_[i] < a_[left_] || (a_[i] == a_[left_] && b_[i] > b_[left_])) left_ = i;
      if (a_[i] > a_[right_] || (a_[i] == a_[right_] && b_[i] > b_[right_])) right_ = i;
      if (b_[i] > b_[top_]) top_ = i;
    }
  }

  // The lines that may be on the envelope, numbered from `begin`, in the order of the sweep.
  void candidates(std::int64_t begin, std::vector<Line>& lines) const {
    lines.clear();
    const double size = std::abs(b_[top_]) + std::abs(b_[left_]) + std::abs(b_[right_]);
    const double slack = 1e-9 * size + std::numeric_limits<double>::min();
    const double up = chord(left_, top_), down = chord(top_, right_);
    const double summit = a_[top_], height = b_[top_] - slack;
    for (std::size_t i = 0; i < a_.size(); ++i) {
      const double run = a_[i] - summit;
      if (b_[i] >= height + run * (run < 0 ? up : down))
        lines.push_back({a_[i], b_[i], begin + static_cast<std::int64_t>(i)});
    }
    std::sort(lines.begin(), lines.end(), sweeps_before);
  }

 private:
  double chord(std::size_t from, std::size_t to) const {
    return a_[to] == a_[from] ? 0 : (b_[to] - b_[from]) / (a_[to] - a_[from]);
  }

  std::span<const double> b_, a_;
  std::size_t left_ = 0, right_ = 0, top_ = 0;
};

// Leaves of sorted lines the envelope, each with its start.
void sweep(std::vector<Line>& lines) {
  std::size_t kept = 0;
  for (const Line& line : lines) {
    if (kept > 0 && lines[kept - 1].slope == line.slope) continue;
    double start = -std::numeric_limits<double>::infinity();
    for (; kept > 0; --kept) {
      const Line& last = lines[kept - 1];
      start = (last.intercept - line.intercept) / (line.slope - last.slope);
      if (start > last.start) break;
    }
    if (kept == 0) start = -std::numeric_limits<double>::infinity();
    lines[kept] = line;
    lines[kept++].start = start;
  }
  lines.resize(kept);
}

void append(const std::vector<Line>& lines, Envelopes& out) {
  out.first.push_back(lines.front().candidate);
  for (std::size_t i = 1; i < lines.size(); ++i) {
    out.at.push_back(lines[i].start);
    out.from.push_back(lines[i - 1].candidate);
    out.to.push_back(lines[i].candidate);
  }
}

template <class T>
void append(const std::vector<T>& part, std::vector<T>& whole) {
  whole.insert(whole.end(), part.begin(), part.end());
}

}  // namespace

Envelopes envelopes(std::span<const std::int64_t> offsets, std::span<const double> intercepts,
                    std::span<const double> slopes, unsigned threads) {
  if (offsets.empty() || offsets.front() != 0 || intercepts.size() != slopes.size() ||
      static_cast<std::size_t>(offsets.back()) != slopes.size() ||
      std::adjacent_find(offsets.begin(), offsets.end(), std::greater_equal<>()) != offsets.end())
    throw ConfigError("offsets of candidates that do not ascend, or do not end where they should");
  const std::size_t sentences = offsets.size() - 1;
  const std::size_t tasks = (sentences + kSentencesPerTask - 1) / kSentencesPerTask;
  std::vector<Envelopes> parts(tasks);
  parallel_for(tasks, threads, [&](std::size_t task) {
    std::vector<Line> lines;
    const std::size_t end = std::min(sentences, (task + 1) * kSentencesPerTask);
    for (std::size_t s = task * kSentencesPerTask; s < end; ++s) {
      const auto begin = static_cast<std::size_t>(offsets[s]);
      const std::size_t count = static_cast<std::size_t>(offsets[s + 1]) - begin;
      Sentence(intercepts.subspan(begin, count), slopes.subspan(begin, count))
          .candidates(offsets[s], lines);
      sweep(lines);
      append(lines, parts[task]);
    }
  });
  Envelopes whole;
  for (const Envelopes& part : parts) {
    append(part.first, whole.first);
    append(part.at, whole.at);
    append(part.from, whole.from);
    append(part.to, whole.to);
  }
  return whole;
}

std::vector<double> combine(std::span<const double> columns, std::span<const double> direction,
                            std::size_t n, unsigned threads) {
  if (columns.size() != n * direction.size())
    throw ConfigError("columns of features that do not fit the direction");
  std::vector<double> totals(n);
  const std::size_t tasks = (n + kCandidatesPerTask - 1) / kCandidatesPerTask;
  parallel_for(tasks, threads, [&](std::size_t task) {
    const std::size_t begin = task * kCandidatesPerTask;
    const std::size_t end = std::min(n, begin + kCandidatesPerTask);
    for (std::size_t k = 0; k < direction.size(); ++k) {
      const double share = direction[k];
      if (share == 0) continue;
      const double* column = columns.data() + k * n;
      for (std::size_t i = begin; i < end; ++i) totals[i] += share * column[i];
    }
  });
  return totals;
}

}  // namespace miriam::tune
