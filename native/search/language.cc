#include "search/language.hh"

namespace miriam::search {

void LmCache::clear() {
  states_.clear();
  prefixes_.clear();
  scores_.clear();
  score_begins_.clear();
  extensions_.clear();
  states_.intern(model_->begin());
}

double LmCache::estimate(std::span<const WordId> words) const {
  double total = 0;
  lm::State state = model_->no_context();
  for (const WordId word : words) {
    lm::State next;
    total += static_cast<double>(model_->score(state, id(word), next));
    state = next;
  }
  return total;
}

LmCache::Phrase LmCache::prepare(std::span<const WordId> words) {
  words_.clear();
  word_scores_.clear();
  lm::State state = model_->no_context();
  const std::size_t context = model_->order() - 1;
  bool open = true;  // whether a left context may still matter
  for (std::size_t i = 0; i < words.size(); ++i) {
    open = open && i < context && state.length == i;
    lm::State next;
    const float score = model_->score(state, id(words[i]), next);
    if (open) {
      words_.push_back(id(words[i]));
      word_scores_.push_back(score);
    }
    state = next;
  }
  // A model of single words (order 1) has no context: like an empty phrase, none changes the state.
  if (words_.empty() || words_.size() == words.size()) words_.push_back(kWhole);
  const auto known = static_cast<std::uint32_t>(prefixes_.size());
  const std::uint32_t prefix = prefixes_.intern(words_);
  if (prefix == known) {
    score_begins_.push_back(static_cast<std::uint32_t>(scores_.size()));
    scores_.insert(scores_.end(), word_scores_.begin(), word_scores_.end());
  }
  return {prefix, states_.intern(state)};
}

LmCache::Extension LmCache::compute(std::uint32_t number, std::uint32_t prefix) {
  const std::span<const std::uint32_t> words = prefixes_[prefix];
  const bool whole = words.back() == kWhole;
  const std::size_t count = words.size() - (whole ? 1 : 0);
  const float* scores = scores_.data() + score_begins_[prefix];
  lm::State state = states_[number];
  double gain = 0;
  for (std::size_t i = 0; i < count; ++i) {
    lm::State next;
    gain +=
        static_cast<double>(model_->score(state, words[i], next)) - static_cast<double>(scores[i]);
    // Only words of the phrase are left in the state: from here on it is as without context.
    if (next.length <= i + 1) return {gain, kNone};
    state = next;
  }
  return {gain, whole ? states_.intern(state) : kNone};
}

// The n-grams that end with the phrase's first word: their places follow from the words alone.
void LmCache::prefetch_ngrams(std::uint32_t number, std::uint32_t prefix) const {
  const WordId word = prefixes_[prefix].front();
  if (word == kWhole) return;
  const lm::State& state = states_[number];
  std::uint64_t hash = lm::unigram_hash(word);
  for (std::size_t i = 0; i < state.length && i < 2; ++i) {
    hash = lm::extended_hash(hash, state.words[i]);
    model_->table().prefetch(hash);
  }
}

double LmCache::finish(std::uint32_t state) const {
  lm::State end;
  return static_cast<double>(model_->score(states_[state], lm::kEnd, end));
}

}  // namespace miriam::search
