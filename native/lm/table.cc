#include "lm/table.hh"

#include <algorithm>
#include <array>
#include <numeric>

namespace miriam::lm {
namespace {

constexpr std::size_t slots_for(std::size_t ngrams) { return ngrams + ngrams / 4 + 16; }

}  // namespace

TableView::TableView(std::size_t order, std::span<const Weights> unigrams,
                     std::span<const Slot> slots)
    : order_(order), unigrams_(unigrams), slots_(slots) {
  if (order < 1 || order > kMaxOrder || unigrams.size() < kSpecials || slots.empty() ||
      unigrams.size() + slots.size() >= kNoNode) {
    throw ModelError("a language model whose arrays do not fit together");
  }
}

std::size_t TableView::words_of(Node node, WordId* words) const {
  std::size_t length = 0;
  for (; node >= unigrams_.size(); node = slots_[node - unigrams_.size()].suffix) {
    if (length + 1 == order_ || node - unigrams_.size() >= slots_.size()) {
      throw ModelError("a language model whose n-grams do not fit together");
    }
    words[length++] = slots_[node - unigrams_.size()].word;
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
  slot_array_.assign(slots_for(ngrams), Slot());
  slots_ = slot_array_;
  if (unigrams_.size() + slots_.size() >= kNoNode) {
    throw InputError("more than three billion n-grams");
  }
}

Weights& TableBuilder::weights(Node node) {
  return node < unigrams_.size() ? unigram_array_[node]
                                 : slot_array_[node - unigrams_.size()].weights;
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
  if (context == kNoNode) return Added::kNoContext;
  std::uint64_t hash = 0;
  const Node suffix = ensure(words.subspan(1), hash);
  hash = extended_hash(hash, words[0]);
  if (find(hash, suffix, words[0]) != kNoNode) return Added::kTwice;
  weights(context).mark_right();
  insert(hash, suffix, words[0], given);
  ++counts_[words.size() - 1];
  if (taken_ + taken_ / 16 > slots_.size()) grow();
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
    if (context != kNoNode) weights(context).mark_right();
  }
  return node;
}

Node TableBuilder::insert(std::uint64_t hash, Node suffix, WordId word, Weights given) {
  const std::size_t slot = probe(hash, suffix, word);
  slot_array_[slot] = {suffix, word, given};
  ++taken_;
  weights(suffix).mark_left();
  return node_of(slot);
}

// Moves the n-grams, shorter ones first, to a table of twice the size.
void TableBuilder::grow() {
  std::vector<Slot> old = std::move(slot_array_);
  const TableView before(order_, unigrams_, old);
  allocate(2 * taken_);
  taken_ = 0;
  std::array<WordId, kMaxOrder> words;
  for (std::size_t n = 2; n <= order_; ++n) {
    for (std::size_t i = 0; i < old.size(); ++i) {
      if (old[i].suffix == kNoNode) continue;
      const auto node = static_cast<Node>(unigrams_.size() + i);
      if (before.words_of(node, words.data()) != n) continue;
      std::uint64_t hash = 0;
      const Node suffix = ensure({words.data() + 1, n - 1}, hash);
      insert(extended_hash(hash, words[0]), suffix, words[0], old[i].weights);
    }
  }
}

}  // namespace miriam::lm
