#include "lm/table.hh"

#include <algorithm>
#include <array>
#include <numeric>

namespace miriam::lm {
namespace {

// Three of four slots are taken: then one in eight n-grams is not in its home line, and the table
// is no larger than KenLM's.
constexpr std::size_t lines_for(std::size_t ngrams) { return ngrams / 3 + 4; }

}  // namespace

TableView::TableView(std::size_t order, std::span<const Weights> unigrams,
                     std::span<const Line> lines)
    : order_(order), unigrams_(unigrams), lines_(lines) {
  if (order < 1 || order > kMaxOrder || unigrams.size() < kSpecials || lines.empty() ||
      unigrams.size() + slots() >= kNoNode) {
    throw ModelError("a language model whose arrays do not fit together");
  }
}

std::size_t TableView::words_of(Node node, WordId* words) const {
  std::size_t length = 0;
  for (; node >= unigrams_.size(); node = slot(node - unigrams_.size()).suffix) {
    if (length + 1 == order_ || node - unigrams_.size() >= slots()) {
      throw ModelError("a language model whose n-grams do not fit together");
    }
    words[length++] = slot(node - unigrams_.size()).word;
  }
  words[length++] = node;
  return length;
}

TableBuilder::TableBuilder(const std::vector<std::uint64_t>& counts) {
  order_ = counts.size();
  counts_.assign(order_, 0);
  unigram_array_.assign(std::max<std::size_t>(counts[0], kSpecials),
                        Weights(kLogUnknown, kNoBackoff));
  present_.assign(unigram_array_.size(), false);
  counts_[0] = unigram_array_.size();
  unigrams_ = unigram_array_;
  allocate(std::accumulate(counts.begin() + 1, counts.end(), std::size_t{0}));
}

void TableBuilder::allocate(std::size_t ngrams) {
  line_array_.assign(lines_for(ngrams), Line());
  lines_ = line_array_;
  if (unigrams_.size() + slots() >= kNoNode) {
    throw InputError("more than three billion n-grams");
  }
}

Weights& TableBuilder::weights(Node node) {
  if (node < unigrams_.size()) return unigram_array_[node];
  const std::size_t i = node - unigrams_.size();
  return line_array_[i / 4].slots[i % 4].weights;
}

Added TableBuilder::add_unigram(WordId word, Weights weights) {
  if (word >= present_.size()) {
    unigram_array_.resize(word + 1, Weights(kLogUnknown, kNoBackoff));
    present_.resize(word + 1);
    counts_[0] = word + 1;
    unigrams_ = unigram_array_;
  }
  if (present_[word]) return Added::kTwice;
  present_[word] = true;
  unigram_array_[word] = weights;
  return Added::kYes;
}

Added TableBuilder::add(std::span<const WordId> words, Weights given) {
  const Node context = find_words(words.first(words.size() - 1));
  if (context == kNoNode || implied_.contains(context)) return Added::kNoContext;
  std::uint64_t hash = 0;
  const Node suffix = ensure(words.subspan(1), hash);
  hash = extended_hash(hash, words[0]);
  if (find(hash, suffix, words[0]) != kNoNode) return Added::kTwice;
  weights(context).mark_right();
  insert(hash, suffix, words[0], given);
  ++counts_[words.size() - 1];
  if (taken_ + taken_ / 8 > slots()) grow();
  return Added::kYes;
}

Node TableBuilder::find_words(std::span<const WordId> words) const {
  Node node = words.back();
  std::uint64_t hash = unigram_hash(node);
  for (std::size_t i = words.size() - 1; i-- > 0 && node != kNoNode;) {
    hash = extended_hash(hash, words[i]);
    node = find(hash, node, words[i]);
  }
  return node;
}

// The node of an n-gram, made if it is not there; and its hash.
Node TableBuilder::ensure(std::span<const WordId> words, std::uint64_t& hash) {
  Node node = words.back();
  hash = unigram_hash(node);
  for (std::size_t i = words.size() - 1; i-- > 0;) {
    hash = extended_hash(hash, words[i]);
    const Node longer = find(hash, node, words[i]);
    if (longer != kNoNode) {
      node = longer;
      continue;
    }
    const Node context = find_words(words.subspan(i, words.size() - 1 - i));
    const float backoff = context == kNoNode ? 0 : weights(context).backoff();
    node = insert(hash, node, words[i], {weights(node).log10() + backoff, kNoBackoff});
    ++counts_[words.size() - i - 1];
    implied_.insert(node);
    if (context != kNoNode) weights(context).mark_right();
  }
  return node;
}

Node TableBuilder::insert(std::uint64_t hash, Node suffix, WordId word, Weights given) {
  std::size_t line = home(hash);
  while (lines_[line].slots.back().suffix != kNoNode) line = after(line);
  auto& slots = line_array_[line].slots;
  std::size_t i = 0;
  while (slots[i].suffix != kNoNode) ++i;
  slots[i] = {suffix, word, given};
  ++taken_;
  weights(suffix).mark_left();
  return static_cast<Node>(unigrams_.size() + 4 * line + i);
}

void TableBuilder::prefetch(std::span<const WordId> words) const {
  std::uint64_t suffix = unigram_hash(words.back());
  std::uint64_t context = words.size() > 1 ? unigram_hash(words[words.size() - 2]) : 0;
  for (std::size_t i = words.size() - 1; i-- > 0;) {
    TableView::prefetch(suffix = extended_hash(suffix, words[i]));
    if (i > 0) TableView::prefetch(context = extended_hash(context, words[i - 1]));
  }
}

// Moves the n-grams, shorter ones first, to a table of twice the size.
void TableBuilder::grow() {
  std::vector<Line> old = std::move(line_array_);
  const TableView before(order_, unigrams_, old);
  const std::unordered_set<Node> implied = std::move(implied_);
  implied_.clear();
  allocate(2 * taken_);
  taken_ = 0;
  std::array<WordId, kMaxOrder> words;
  for (std::size_t n = 2; n <= order_; ++n) {
    for (std::size_t i = 0; i < before.slots(); ++i) {
      const auto node = static_cast<Node>(unigrams_.size() + i);
      if (!before.taken(node)) continue;
      if (before.words_of(node, words.data()) != n) continue;
      std::uint64_t hash = 0;
      const Node suffix = ensure({words.data() + 1, n - 1}, hash);
      const Node moved =
          insert(extended_hash(hash, words[0]), suffix, words[0], before.weights(node));
      if (implied.contains(node)) implied_.insert(moved);
    }
  }
}

}  // namespace miriam::lm
