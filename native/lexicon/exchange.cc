#include "lexicon/exchange.hh"

#include <algorithm>
#include <limits>
#include <utility>

#include "base/error.hh"
#include "base/parallel.hh"

namespace miriam::lexicon {
namespace {

constexpr double kLeastGain = 1e-6;  // nats; less may be rounding, and no pass would be the last
constexpr std::size_t kTaskWords = 16;
constexpr std::size_t kSortWords = 1024;

// Calls work(begin, end) for ranges of `step` numbers below `count`, in parallel.
template <class Work>
void parallel_ranges(std::size_t count, std::size_t step, unsigned threads, const Work& work) {
  parallel_for((count + step - 1) / step, threads,
               [&](std::size_t i) { work(i * step, std::min(count, (i + 1) * step)); });
}

// Calls use(history, word) for each token.
template <class Use>
void for_each_pair(std::span<const WordId> ids, std::span<const std::uint64_t> ends,
                   std::span<const WordId> words, const Use& use) {
  std::size_t i = 0;
  for (const std::uint64_t end : ends) {
    auto history = static_cast<WordId>(words.size());
    for (; i < end; ++i) {
      use(history, words[ids[i]]);
      history = ids[i];
    }
  }
}

std::vector<std::uint32_t> count_followers(const Predecessors& predecessors,
                                           std::size_t histories) {
  std::vector<std::uint32_t> followers(histories);
  for (const auto& entry : predecessors.entries) ++followers[entry.history];
  return followers;
}

}  // namespace

Predecessors count_predecessors(std::span<const WordId> ids, std::span<const std::uint64_t> ends,
                                std::span<const WordId> words, std::size_t count,
                                unsigned threads) {
  if (ids.size() >= std::numeric_limits<std::uint32_t>::max()) {
    throw InputError("more than four billion words of text; give fewer");
  }
  std::vector<std::uint64_t> bounds(count + 1);  // of the tokens of each word
  for (const WordId id : ids) ++bounds[words[id] + 1];
  for (std::size_t w = 0; w < count; ++w) bounds[w + 1] += bounds[w];
  std::vector<WordId> histories(ids.size());  // of all tokens, word by word
  std::vector<std::uint64_t> next(bounds.begin(), bounds.end() - 1);
  for_each_pair(ids, ends, words,
                [&](WordId history, WordId word) { histories[next[word]++] = history; });

  std::vector<std::vector<Predecessors::Entry>> rows(count);
  parallel_ranges(count, kSortWords, threads, [&](std::size_t begin, std::size_t end) {
    for (std::size_t w = begin; w < end; ++w) {
      const std::span tokens(histories.data() + bounds[w], bounds[w + 1] - bounds[w]);
      std::ranges::sort(tokens);
      for (const WordId history : tokens) {
        if (rows[w].empty() || rows[w].back().history != history) rows[w].push_back({history, 0});
        ++rows[w].back().count;
      }
    }
  });
  Predecessors result;
  result.ends.reserve(count);
  for (const auto& row : rows) {
    result.entries.insert(result.entries.end(), row.begin(), row.end());
    result.ends.push_back(result.entries.size());
  }
  return result;
}

Exchange::Exchange(Predecessors predecessors, std::size_t histories, std::span<const ClassId> first,
                   std::size_t classes)
    : predecessors_(std::move(predecessors)),
      word_count_(predecessors_.words()),
      class_count_(classes),
      class_words_(classes),
      class_of_(first.begin(), first.end()),
      history_count_(count_followers(predecessors_, histories), classes) {
  for (WordId w = 0; w < class_of_.size(); ++w) {
    const ClassId c = class_of_[w];
    for (const auto& [history, count] : predecessors_.row(w)) {
      history_count_.add(history, c, count);
      word_count_[w] += count;
    }
    class_count_[c] += word_count_[w];
    ++class_words_[c];
  }
}

double Exchange::objective() const {
  double sum = 0;
  for (std::size_t h = 0; h < history_count_.histories(); ++h) {
    history_count_.for_each(h, [&](ClassId, std::uint32_t n) { sum += x_log_x_(n); });
  }
  for (const std::uint64_t n : class_count_) sum -= x_log_x_(n);
  return sum;
}

std::uint64_t Exchange::improve(std::span<const WordId> order, std::size_t batch, unsigned threads,
                                Progress& progress) {
  progress.expect(order.size());
  std::uint64_t moved = 0;
  std::vector<ClassId> best(batch);
  while (!order.empty()) {
    const auto words = order.first(std::min(batch, order.size()));
    parallel_ranges(words.size(), kTaskWords, threads, [&](std::size_t begin, std::size_t end) {
      std::vector<double> gains(class_count_.size());
      for (std::size_t i = begin; i < end; ++i) best[i] = best_class(words[i], gains);
      progress.advance(end - begin);
    });
    for (std::size_t i = 0; i < words.size(); ++i) {
      const ClassId from = class_of_[words[i]];
      if (best[i] == from || class_words_[from] == 1) continue;
      if (gain(words[i], best[i]) <= kLeastGain) continue;
      move(words[i], best[i]);
      ++moved;
    }
    order = order.subspan(words.size());
  }
  return moved;
}

// The class in which F is highest; `gains` is room for a number a class. What they have in common
// is left out: a class that follows history h for the first time gains n ln n, whichever it is.
ClassId Exchange::best_class(WordId word, std::span<double> gains) const {
  std::ranges::fill(gains, 0);
  const ClassId from = class_of_[word];
  for (const auto& [history, n] : predecessors_.row(word)) {
    const double alone = x_log_x_(n);
    history_count_.for_each(history, [&, n = n](ClassId c, std::uint32_t count) {
      const std::uint32_t others = count - (c == from ? n : 0);
      gains[c] += x_log_x_(std::uint64_t{others} + n) - x_log_x_(others) - alone;
    });
  }
  const std::uint64_t n = word_count_[word];
  for (ClassId c = 0; c < gains.size(); ++c) {
    const std::uint64_t others = class_count_[c] - (c == from ? n : 0);
    gains[c] -= x_log_x_(others + n) - x_log_x_(others);
  }
  ClassId best = from;
  for (ClassId c = 0; c < gains.size(); ++c) {
    if (gains[c] > gains[best]) best = c;
  }
  return best;
}

// By how much F grows if the word moves.
double Exchange::gain(WordId word, ClassId to) const {
  const ClassId from = class_of_[word];
  const auto change = [&](std::uint64_t in_from, std::uint64_t in_to, std::uint64_t n) {
    return x_log_x_(in_from - n) - x_log_x_(in_from) + x_log_x_(in_to + n) - x_log_x_(in_to);
  };
  double sum = -change(class_count_[from], class_count_[to], word_count_[word]);
  for (const auto& [history, n] : predecessors_.row(word)) {
    sum += change(history_count_.at(history, from), history_count_.at(history, to), n);
  }
  return sum;
}

void Exchange::move(WordId word, ClassId to) {
  const ClassId from = std::exchange(class_of_[word], to);
  for (const auto& [history, n] : predecessors_.row(word)) {
    history_count_.subtract(history, from, n);  // first: there may be room for no class more
    history_count_.add(history, to, n);
  }
  class_count_[from] -= word_count_[word];
  class_count_[to] += word_count_[word];
  --class_words_[from];
  ++class_words_[to];
}

}  // namespace miriam::lexicon
