// A small back-off n-gram model in memory (stand-in until native/lm is merged).
#pragma once

#include <array>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "base/hash.hh"

namespace miriam::search::tiny {

struct State {
  static constexpr int kMax = 9;
  std::array<std::uint32_t, kMax> words{};  // newest first
  std::uint32_t length = 0;
  friend bool operator==(const State& a, const State& b) {
    if (a.length != b.length) return false;
    for (std::uint32_t i = 0; i < a.length; ++i)
      if (a.words[i] != b.words[i]) return false;
    return true;
  }
  std::uint64_t hash() const {
    std::uint64_t h = length;
    for (std::uint32_t i = 0; i < length; ++i) h = combine(h, words[i]);
    return h;
  }
};

class Model {
 public:
  Model(int order, std::uint32_t bos, std::uint32_t eos, std::uint32_t unk)
      : order_(order), bos_(bos), eos_(eos), unk_(unk) {}
  // words oldest first
  void add(const std::uint32_t* words, int n, float prob, float backoff) {
    std::uint64_t h = 0;
    for (int i = n - 1; i >= 0; --i) h = combine(h, words[i]);
    Entry& e = table_[h];
    e.prob = prob;
    e.backoff = backoff;
    if (backoff != 0) e.extends = true;
    // its context extends
    if (n > 1) {
      std::uint64_t c = 0;
      for (int i = n - 2; i >= 0; --i) c = combine(c, words[i]);
      table_[c].extends = true;
    }
  }
  int order() const { return order_; }
  std::uint32_t end_word() const { return eos_; }
  State begin() const {
    State s;
    s.words[0] = bos_;
    s.length = 1;
    return s;
  }
  State null() const { return {}; }
  float score(const State& in, std::uint32_t word, State& out) const {
    std::uint64_t h = combine(0, word);
    auto it = table_.find(h);
    if (it == table_.end()) {
      word = unk_;
      h = combine(0, word);
      it = table_.find(h);
    }
    float prob = it->second.prob;
    State next;
    std::uint32_t matched = 0;
    std::uint32_t keep = it->second.extends ? 1 : 0;
    for (std::uint32_t i = 0; i < in.length; ++i) {
      h = combine(h, in.words[i]);
      it = table_.find(h);
      if (it == table_.end() || it->second.prob > 1) break;
      matched = i + 1;
      prob = it->second.prob;
      if (it->second.extends) keep = i + 2;
    }
    // back off
    std::uint64_t c = 0;
    float back = 0;
    for (std::uint32_t i = 0; i < in.length; ++i) {
      c = combine(c, in.words[i]);
      if (i + 1 <= matched) continue;
      auto b = table_.find(c);
      if (b != table_.end()) back += b->second.backoff;
    }
    next.length = std::min<std::uint32_t>(keep, static_cast<std::uint32_t>(order_ - 1));
    if (next.length > 0) next.words[0] = word;
    for (std::uint32_t i = 1; i < next.length; ++i) next.words[i] = in.words[i - 1];
    out = next;
    return prob + back;
  }

 private:
  struct Entry {
    float prob = 2;
    float backoff = 0;
    bool extends = false;
  };
  int order_;
  std::uint32_t bos_, eos_, unk_;
  std::unordered_map<std::uint64_t, Entry> table_;
};

}  // namespace miriam::search::tiny
