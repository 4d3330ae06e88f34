#include "search/language.hh"

namespace miriam::search {

void LmCache::clear() {
  states_.clear();
  prefixes_.clear();
  scores_.clear();
  score_begins_.clear();
  next_sentence();
  states_.intern(model_->begin());
  no_context_ = states_.intern(model_->no_context());
  words_.clear();
  word_scores_.clear();
  number_prefix(true);  // kEmpty
}

double LmCache::estimate(std::span<const WordId> words) const {
  double total = 0;
  std::array<lm::State, 2> states;  // by turns, so that none is copied
  for (std::size_t i = 0; i < words.size(); ++i)
    total += static_cast<double>(model_->score(states[i % 2], id(words[i]), states[(i + 1) % 2]));
  return total;
}

LmCache::Phrase LmCache::prepare(std::span<const WordId> words) {
  phrase_.clear();
  for (const WordId word : words) phrase_.push_back(id(word));
  words_.clear();
  word_scores_.clear();
  const lm::State state = read(model_->no_context(), phrase_);
  const bool whole = words_.size() == words.size() && state.length == words.size();
  return {number_prefix(whole), states_.intern(state)};
}

// The state behind words; those whose n-gram, with all words before, may extend to the left go into
// words_, which holds the words before them.
lm::State LmCache::read(lm::State state, std::span<const std::uint32_t> words) {
  bool open = true;
  for (const std::uint32_t word : words) {
    lm::State next;
    const lm::Match match = model_->match(state, word, next);
    open = open && match.extends_left && match.length == words_.size() + 1;
    if (open) {
      words_.push_back(word);
      word_scores_.push_back(lm::to_natural(match.log10));
    }
    state = next;
  }
  return state;
}

// The prefix that is in words_, whether or not it is all there is.
std::uint32_t LmCache::number_prefix(bool whole) {
  const auto known = static_cast<std::uint32_t>(prefixes_.size());
  const std::uint32_t prefix = prefixes_.intern(words_);
  if (prefix == known) {
    score_begins_.push_back(static_cast<std::uint32_t>(scores_.size()));
    scores_.insert(scores_.end(), word_scores_.begin(), word_scores_.end());
  }
  return 2 * prefix + (whole ? 1 : 0);
}

std::uint32_t LmCache::join_prefixes(const Phrase& span, std::uint32_t next) {
  const auto first = words_of(span.prefix), second = words_of(next);
  words_.assign(first.begin(), first.end());
  const float* scores = scores_.data() + score_begins_[span.prefix / 2];
  word_scores_.assign(scores, scores + first.size());
  const std::size_t words = first.size() + second.size();
  const lm::State state = read(states_[span.right], second);
  return number_prefix(is_whole(next) && words_.size() == words && state.length == words);
}

LmCache::Extension LmCache::compute(std::uint32_t number, std::uint32_t prefix) {
  const std::span<const std::uint32_t> words = words_of(prefix);
  const float* scores = scores_.data() + score_begins_[prefix / 2];
  std::array<lm::State, 2> made;  // by turns, so that none is copied
  const lm::State* state = &states_[number];
  double gain = 0;
  for (std::size_t i = 0; i < words.size(); ++i) {
    lm::State& next = made[i % 2];
    gain +=
        static_cast<double>(model_->score(*state, words[i], next)) - static_cast<double>(scores[i]);
    // Only words of the phrase are left in the state: from here on it is as without context.
    if (next.length <= i + 1) return {gain, kNone};
    state = &next;
  }
  if (is_whole(prefix)) return {gain, states_.intern(*state)};
  // The n-gram of the next word is what it was, and does without the context to the left of it.
  float backoff = 0;
  for (std::size_t i = words.size(); i < state->length; ++i) backoff += state->backoffs[i];
  return {gain + static_cast<double>(lm::to_natural(backoff)), kNone};
}

// The n-grams that end with the phrase's first word: their places follow from the words alone.
void LmCache::prefetch_ngrams(std::uint32_t number, std::uint32_t prefix) const {
  const std::span<const std::uint32_t> words = words_of(prefix);
  if (words.empty()) return;
  const lm::State& state = states_[number];
  std::uint64_t hash = lm::unigram_hash(words.front());
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
