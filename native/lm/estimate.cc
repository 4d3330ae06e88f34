#include "lm/estimate.hh"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

#include "base/error.hh"

namespace miriam::lm {
namespace {

// The counts after one context, summed up: what the seen words share and what is left to back off.
class ContextTotals {
 public:
  explicit ContextTotals(const Discount& discount) : discount_(discount) {}

  void add(std::uint32_t packed) {
    const std::uint32_t count = Count::value(packed);
    denominator_ += count;
    any_kept_ |= !Count::pruned(packed);
    left_over_ += Count::pruned(packed) ? count : discount_.of(count);
  }
  bool any_kept() const { return any_kept_; }
  // The weight of the distribution of the next lower order; pruned n-grams leave it all theirs.
  double gamma() const { return left_over_ / static_cast<double>(denominator_); }
  double share(std::uint32_t count) const {
    return (count - discount_.of(count)) / static_cast<double>(denominator_);
  }

 private:
  const Discount& discount_;
  std::uint64_t denominator_ = 0;
  double left_over_ = 0;
  bool any_kept_ = false;
};

bool starts_with(const std::uint32_t* record, const WordId* words, std::size_t count) {
  return record && std::equal(words, words + count, record);
}

// Puts records of n-grams of order n into a table.
void add_all(std::span<const std::uint32_t> records, std::size_t n, TableBuilder& table) {
  const std::size_t width = n + 2;
  const std::size_t ahead = 16 * width;
  for (std::size_t i = 0; i < records.size(); i += width) {
    if (i + ahead < records.size()) table.prefetch(records.subspan(i + ahead, n));
    const std::span words = records.subspan(i, n);
    const Weights weights(std::bit_cast<float>(records[i + n]),
                          std::bit_cast<float>(records[i + n + 1]));
    n == 1 ? table.add_unigram(words[0], weights) : table.add(words, weights);
  }
}

float log10_probability(double p) { return std::min(0.0f, static_cast<float>(std::log10(p))); }

}  // namespace

Estimator::Estimator(EstimatorSettings settings)
    : settings_(std::move(settings)), workspace_{settings_.folder, settings_.threads} {
  const std::size_t order = settings_.order;
  if (order < 1 || order > kMaxOrder) {
    throw ConfigError("the order of a language model must be from 1 to 10, got " +
                      std::to_string(order));
  }
  auto& thresholds = settings_.thresholds;
  if (thresholds.size() > order || !std::is_sorted(thresholds.begin(), thresholds.end())) {
    throw ConfigError(
        "pruning takes one threshold an order at most, none less than the one before");
  }
  thresholds.resize(order, thresholds.empty() ? 0 : thresholds.back());
  pruning_.thresholds = thresholds;
  text_.emplace(order, settings_.memory / 5, workspace_);
  for (std::size_t n = 1; n <= order; ++n) {
    const std::uint64_t share = settings_.memory / (10 * order);
    suffixes_.push_back(std::make_unique<Sequence>(n + 1, share, workspace_));
    ngrams_.push_back(std::make_unique<Sequence>(n + 2, share, workspace_));
    contexts_.push_back(context_sorter(n));
  }
}

// A record holds the context newest word first, the predicted word, the count, the back-off.
std::unique_ptr<Sorter> Estimator::context_sorter(std::size_t n) const {
  return std::make_unique<Sorter>(n + 2, settings_.memory / (4 * settings_.order), workspace_);
}

void Estimator::add(std::string_view text, std::uint64_t first_line) {
  std::vector<WordId> sentence;
  const auto word = [&](std::string_view token) {
    const WordId id = vocabulary_.add(token);
    if (id < kSpecials) {
      throw InputError("line " + std::to_string(first_line) + ": the token " + std::string(token) +
                       " means something to a language model and cannot be a word of the text; "
                       "rename it");
    }
    if (id >= occurrences_.size()) occurrences_.resize(2 * id);
    ++occurrences_[id];
    sentence.push_back(id);
  };
  lexicon::for_each_token(text, word, [&] {
    text_->add_sentence(sentence);
    sentence.clear();
    ++first_line;
  });
}

void Estimator::limit_vocabulary(std::string_view words) {
  pruning_.outside.assign(vocabulary_.size(), true);
  std::fill_n(pruning_.outside.begin(), kSpecials, false);
  const auto keep = [&](std::string_view word) {
    const WordId id = vocabulary_.view().find(word);
    if (id != lexicon::kNoWord) pruning_.outside[id] = false;
  };
  lexicon::for_each_token(words, keep, [] {});
}

void Estimator::limit_vocabulary(std::size_t most) {
  std::vector<WordId> words(vocabulary_.size() - kSpecials);
  std::iota(words.begin(), words.end(), kSpecials);
  std::stable_sort(words.begin(), words.end(),
                   [this](WordId a, WordId b) { return occurrences_[a] > occurrences_[b]; });
  pruning_.outside.assign(vocabulary_.size(), false);
  for (std::size_t i = most; i < words.size(); ++i) pruning_.outside[words[i]] = true;
}

void Estimator::push_in_context_order(std::span<const WordId> words, std::uint32_t count,
                                      float backoff) {
  std::array<std::uint32_t, kMaxOrder + 2> record;
  const std::size_t n = words.size();
  std::copy(words.begin() + 1, words.end(), record.begin());
  record[n - 1] = words[0];
  record[n] = count;
  record[n + 1] = std::bit_cast<std::uint32_t>(backoff);
  contexts_[n - 1]->push(record.data());
}

void Estimator::count(Progress& progress) {
  const std::size_t order = settings_.order;
  progress.expect(text_->tokens());
  unigram_counts_.assign(vocabulary_.size(), 0);
  std::array<std::uint32_t, kMaxOrder + 1> record;
  CountAdjuster adjuster(order, pruning_);
  adjuster.run(text_->finish().reader(), progress,
               [&](std::span<const WordId> words, std::uint32_t count) {
                 const std::size_t n = words.size();
                 if (n == 1) {
                   unigram_counts_[words[0]] = count;
                 } else if (n == order) {
                   push_in_context_order(words, count, kNoBackoff);
                 } else {
                   std::copy(words.begin(), words.end(), record.begin());
                   record[n] = count;
                   suffixes_[n - 1]->push(record.data());
                 }
               });
  text_.reset();
  statistics_ = adjuster.statistics();
  for (const CountStatistics& statistics : statistics_) {
    discounts_.push_back(statistics.discount());
  }
}

// Reads order n in context order: its contexts come in the order of the suffix-sorted n-grams one
// word shorter, which take their back-off weights and go on into context order themselves.
void Estimator::weigh_contexts(std::size_t n, Progress& progress) {
  contexts_[n - 1]->finish();
  MergeReader ngrams = contexts_[n - 1]->reader();
  Reader shorter = suffixes_[n - 2]->reader();
  std::array<WordId, kMaxOrder> context;
  const auto pass_on = [&](float backoff) {
    push_in_context_order({shorter.peek(), n - 1}, shorter.peek()[n - 1], backoff);
    shorter.next();
    progress.advance();
  };
  while (const std::uint32_t* record = ngrams.peek()) {
    std::copy_n(record, n - 1, context.begin());
    ContextTotals totals(discounts_[n - 1]);
    for (; starts_with(ngrams.peek(), context.data(), n - 1); ngrams.next()) {
      totals.add(ngrams.peek()[n]);
    }
    const float backoff =
        totals.any_kept() ? static_cast<float>(std::log10(totals.gamma())) : kNoBackoff;
    if (n == 2) {
      unigram_backoffs_[context[0]] = backoff;
      continue;
    }
    while (!starts_with(shorter.peek(), context.data(), n - 1)) pass_on(kNoBackoff);
    pass_on(backoff);
  }
  while (n > 2 && shorter.peek()) pass_on(kNoBackoff);
  suffixes_[n - 2].reset();
}

// The lowest order is interpolated with the uniform distribution over all words that can follow
// something: those that are kept, </s> and <unk>.
void Estimator::estimate_unigrams() {
  ContextTotals totals(discounts_[0]);
  for (const std::uint32_t count : unigram_counts_) totals.add(count);
  const double uniform = 1 / static_cast<double>(kept(1) - 1);
  const double base = totals.gamma() * uniform;
  unigrams_.resize(unigram_counts_.size());
  std::transform(unigram_counts_.begin(), unigram_counts_.end(), unigrams_.begin(),
                 [&](std::uint32_t count) { return totals.share(count) + base; });
}

void Estimator::write_unigrams() {
  unigrams_[kBegin] = 1;  // it is given, not predicted
  for (WordId word = 0; word < unigrams_.size(); ++word) {
    if (Count::pruned(unigram_counts_[word])) continue;
    const std::array<std::uint32_t, 3> record{
        word, std::bit_cast<std::uint32_t>(log10_probability(unigrams_[word])),
        std::bit_cast<std::uint32_t>(unigram_backoffs_[word])};
    ngrams_[0]->push(record.data());
  }
}

// Walks the contexts depth first, each after the one that is a word shorter, so that the
// distribution to interpolate with is at hand.
class Estimator::Interpolation {
 public:
  Interpolation(Estimator& owner, Progress& progress) : owner_(owner), progress_(progress) {
    for (std::size_t n = 2; n <= owner.order(); ++n) {
      readers_.push_back(owner.contexts_[n - 1]->reader());
    }
    groups_.resize(owner.order() + 1);
  }
  void run() {
    while (owner_.order() > 1 && reader(2).peek()) visit(2);
  }

 private:
  struct Group {
    std::vector<WordId> words;  // in increasing order
    std::vector<std::uint32_t> counts;
    std::vector<std::uint32_t> backoffs;  // bits
    std::vector<double> probabilities;
  };

  MergeReader& reader(std::size_t n) { return readers_[n - 2]; }

  // The n-grams of one context, then those of the longer contexts that end with it.
  void visit(std::size_t n) {
    std::array<WordId, kMaxOrder> context;
    std::copy_n(reader(n).peek(), n - 1, context.begin());
    Group& group = groups_[n];
    ContextTotals totals(owner_.discounts_[n - 1]);
    read(n, context.data(), group, totals);
    write(n, context.data(), group, totals);
    progress_.advance(group.words.size());
    if (n == owner_.order()) return;
    while (starts_with(reader(n + 1).peek(), context.data(), n - 1)) visit(n + 1);
  }

  void read(std::size_t n, const WordId* context, Group& group, ContextTotals& totals) {
    group.words.clear();
    group.counts.clear();
    group.backoffs.clear();
    for (; starts_with(reader(n).peek(), context, n - 1); reader(n).next()) {
      const std::uint32_t* record = reader(n).peek();
      totals.add(record[n]);
      group.words.push_back(record[n - 1]);
      group.counts.push_back(record[n]);
      group.backoffs.push_back(record[n + 1]);
    }
  }

  void write(std::size_t n, const WordId* context, Group& group, const ContextTotals& totals) {
    std::array<std::uint32_t, kMaxOrder + 2> record;
    std::reverse_copy(context, context + n - 1, record.begin());
    group.probabilities.resize(group.words.size());
    const Group& shorter = groups_[n - 1];
    auto found = shorter.words.begin();
    for (std::size_t i = 0; i < group.words.size(); ++i) {
      if (Count::pruned(group.counts[i])) continue;
      const WordId word = group.words[i];
      double lower;
      if (n == 2) {
        lower = owner_.unigrams_[word];
      } else {
        found = std::lower_bound(found, shorter.words.end(), word);
        lower = shorter.probabilities[static_cast<std::size_t>(found - shorter.words.begin())];
      }
      const double p = totals.share(group.counts[i]) + totals.gamma() * lower;
      group.probabilities[i] = p;
      record[n - 1] = word;
      record[n] = std::bit_cast<std::uint32_t>(log10_probability(p));
      record[n + 1] = group.backoffs[i];
      owner_.ngrams_[n - 1]->push(record.data());
    }
  }

  Estimator& owner_;
  Progress& progress_;
  std::vector<MergeReader> readers_;
  std::vector<Group> groups_;  // by order: the current context's
};

void Estimator::estimate(Progress& progress) {
  const std::size_t order = settings_.order;
  std::uint64_t steps = 1;
  for (std::size_t n = 2; n <= order; ++n) {
    steps += statistics_[n - 1].all * (n == order ? 1 : 2);  // each is weighed, then interpolated
  }
  progress.expect(steps);
  unigram_backoffs_.assign(vocabulary_.size(), kNoBackoff);
  for (std::size_t n = order; n >= 2; --n) weigh_contexts(n, progress);
  estimate_unigrams();
  Interpolation(*this, progress).run();
  write_unigrams();
  contexts_.clear();
}

NgramSource Estimator::source() const {
  std::vector<std::uint64_t> counts;
  auto readers = std::make_shared<std::vector<Reader>>();
  for (std::size_t n = 1; n <= order(); ++n) {
    counts.push_back(kept(n));
    readers->push_back(ngrams_[n - 1]->reader());
  }
  return {std::move(counts), vocabulary_.view(),
          [readers](std::size_t n, std::size_t most, std::vector<std::uint32_t>& records) {
            Reader& reader = (*readers)[n - 1];
            for (; most > 0 && reader.peek(); --most, reader.next()) {
              records.insert(records.end(), reader.peek(), reader.peek() + n + 2);
            }
          }};
}

// Words that the model leaves out get no id.
BuiltModel Estimator::build(Progress& progress) const {
  const NgramSource ngrams = source();
  progress.expect(std::accumulate(ngrams.counts.begin(), ngrams.counts.end(), std::uint64_t{0}));
  BuiltModel built{special_words(), TableBuilder(ngrams.counts)};
  std::vector<WordId> ids(vocabulary_.size());
  std::vector<std::uint32_t> records;
  for (std::size_t n = 1; n <= order(); ++n) {
    for (ngrams.read(n, 4096, records); !records.empty();
         records.clear(), ngrams.read(n, 4096, records)) {
      for (std::size_t i = 0; i < records.size(); i += n + 2) {
        const std::span words{records.data() + i, n};
        if (n == 1) {
          ids[words[0]] = built.vocabulary.add(vocabulary_.view().word(words[0]));
        }
        for (WordId& word : words) word = ids[word];
      }
      add_all(records, n, built.table);
      progress.advance(records.size() / (n + 2));
    }
  }
  return built;
}

}  // namespace miriam::lm
