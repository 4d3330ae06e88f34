// Hierarchical rules of a sentence pair (Chiang 2007, section 3.2): initial phrase pairs, in which
// smaller ones may be taken out and leave gaps.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "rules/bitext.hh"
#include "rules/recorder.hh"
#include "rules/spans.hh"

namespace miriam::rules {

// In a bitext whose rules have gaps, the first words of both vocabularies stand for them.
inline constexpr WordId kGapWords = kMaxGaps;
// An initial phrase pair's count of 1 is shared out equally over its rules. The shares are whole
// multiples of 1 / kCountUnit, so that they add up to the same in any order.
inline constexpr std::uint32_t kCountUnit = 1 << 24;

struct GapOptions {
  int max_symbols;  // words and gaps of the source side
  int max_gaps;     // at most kMaxGaps
  bool adjacent;    // whether gaps may be side by side on the source side
  bool tight;       // whether initial phrases must begin and end with linked words
  int least_links;  // between the words of a rule; 1 or more
};

// An initial phrase pair and what is taken out of it, in the order of the source.
struct GapRule {
  PhrasePair whole;
  std::array<PhrasePair, kMaxGaps> gaps;
  std::size_t gap_count;

  std::span<const PhrasePair> taken() const { return std::span(gaps).first(gap_count); }
};

// Finds the rules of sentence pairs; its buffers are used again for the next sentence.
class GapFinder {
 public:
  // `max_length`: the words a side of an initial phrase pair.
  GapFinder(int max_length, const GapOptions& options)
      : options_(options), finder_(max_length, false) {}

  // The initial phrase pairs, by source span.
  std::span<const PhrasePair> find(const SentencePair& pair);
  // The rules that come from one of them, until the next call.
  std::span<const GapRule> rules(const PhrasePair& whole);

 private:
  void find_inside(const PhrasePair& whole);
  void add(const GapRule& rule);

  GapOptions options_;
  SpanFinder finder_;
  std::vector<PhrasePair> initial_;
  std::vector<std::size_t> starts_;  // where those that begin at each source word begin
  std::vector<int> links_before_;    // how many links the source words before each have
  std::vector<PhrasePair> inside_;
  std::vector<GapRule> rules_;
};

// Records the rules of sentence pairs.
class GapWriter {
 public:
  GapWriter(int max_length, const GapOptions& options, Recorder& recorder)
      : finder_(max_length, options), recorder_(recorder) {}

  void add(const SentencePair& pair);

 private:
  void add_rule(const SentencePair& pair, const GapRule& rule, std::uint32_t count);
  void write_sides(const SentencePair& pair, const GapRule& rule);

  GapFinder finder_;
  Recorder& recorder_;
  std::vector<WordId> source_, target_;
  std::vector<std::uint8_t> source_places_, target_places_;  // in the rule, of each word of a span
  Bytes links_;
};

}  // namespace miriam::rules
