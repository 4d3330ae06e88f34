#include <vector>

#include "lm/model.hh"

namespace miriam::lm {
namespace {

constexpr std::size_t kBatch = 256;  // words looked up side by side; their state fits the cache

// A word of the text in its sentence, and the longest n-gram found so far that ends with it.
struct Position {
  std::uint64_t hash;
  Node node;
  std::uint8_t length;     // of the n-gram
  std::uint8_t available;  // words of context, <s> included
  float log10;
  std::array<float, kMaxOrder> backoffs;  // of the n-grams of 1, 2, ... words that end here
};

// Positions one after another; `words[i]` is the word of position i, <s> in front of a sentence.
class Batch {
 public:
  explicit Batch(const Model& model) : model_(model), table_(model.table()) {}

  void add(WordId word, std::size_t available) {
    words_.push_back(word);
    Position& position = positions_.emplace_back();
    position.available = static_cast<std::uint8_t>(std::min(available, model_.order() - 1));
    table_.prefetch_unigram(word);
  }
  std::size_t size() const { return words_.size(); }

  void look_up() {
    active_.clear();
    for (std::size_t i = 0; i < words_.size(); ++i) start(i);
    for (std::size_t depth = 1; !active_.empty(); ++depth) {
      std::size_t kept = 0;
      for (const std::uint32_t i : active_) {
        if (step(i, depth)) active_[kept++] = i;
      }
      active_.resize(kept);
    }
  }
  // The log10 of the word at i, back-off included.
  float score(std::size_t i) const {
    const Position& position = positions_[i];
    float log10 = position.log10;
    if (position.available == 0) return log10;
    const Position& before = positions_[i - 1];
    const std::size_t longest = std::min<std::size_t>(before.length, position.available);
    for (std::size_t k = position.length; k <= longest; ++k) log10 += before.backoffs[k - 1];
    return log10;
  }
  std::uint8_t length(std::size_t i) const { return positions_[i].length; }
  void clear() {
    words_.clear();
    positions_.clear();
  }

 private:
  void start(std::size_t i) {
    Position& position = positions_[i];
    position.length = 0;
    position.hash = unigram_hash(words_[i]);
    if (take(position, words_[i])) prepare(static_cast<std::uint32_t>(i), 1);
  }
  bool step(std::uint32_t i, std::size_t depth) {
    Position& position = positions_[i];
    const Node node = table_.find(position.hash, position.node, words_[i - depth]);
    if (node == kNoNode || !take(position, node)) return false;
    position.hash = extended_hash(position.hash, words_[i - depth - 1]);
    table_.prefetch(position.hash);
    return true;
  }
  // Takes up a found n-gram; whether a longer one is to be looked for.
  bool take(Position& position, Node node) {
    const Weights& weights = table_.weights(node);
    position.node = node;
    position.log10 = weights.log10();
    position.backoffs[position.length++] = weights.backoff();
    return weights.extends_left() && position.length <= position.available;
  }
  void prepare(std::uint32_t i, std::size_t depth) {
    positions_[i].hash = extended_hash(positions_[i].hash, words_[i - depth]);
    table_.prefetch(positions_[i].hash);
    active_.push_back(i);
  }

  const Model& model_;
  const TableView& table_;
  std::vector<WordId> words_;
  std::vector<Position> positions_;
  std::vector<std::uint32_t> active_;
};

}  // namespace

void score_text(const Model& model, std::span<const WordId> ids,
                std::span<const std::uint64_t> ends, WordScores out) {
  Batch batch(model);
  std::size_t written = 0;
  std::vector<bool> given;  // <s>: context only
  const auto flush = [&] {
    batch.look_up();
    for (std::size_t i = 0; i < batch.size(); ++i) {
      if (given[i]) continue;
      out.logs[written] = to_natural(batch.score(i));
      out.orders[written++] = batch.length(i);
    }
    batch.clear();
    given.clear();
  };
  std::size_t begin = 0;
  for (const std::uint64_t end : ends) {
    batch.add(kBegin, 0);
    given.push_back(true);
    for (std::size_t i = begin; i <= end; ++i) {
      const WordId id = i == end ? kEnd : ids[i];
      batch.add(id < model.table().words() ? id : kUnknown, i - begin + 1);
      given.push_back(false);
    }
    begin = end;
    if (batch.size() >= kBatch) flush();
  }
  flush();
}

}  // namespace miriam::lm
