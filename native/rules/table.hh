// The rule table as a decoder reads it, over arrays that may lie in a mapped file.
//
// The source phrases are sorted by hash. A look-up touches three cache lines: a bucket of 64
// bytes, chosen by the leading bits of the hash, that names the first source phrase with these
// bits, how many there are, and the last 32 bits of their hashes; the head of the phrase whose bits
// agree; and its words. The rules of a phrase are one range of rows, best first.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "rules/records.hh"

namespace miriam::rules {

struct Bucket {
  std::uint32_t first = 0;
  std::uint32_t size = 0;
  std::array<std::uint32_t, 14> tags{};  // of the first fourteen; more are compared word by word
};
static_assert(sizeof(Bucket) == 64);

// Where the words and the rules of a source phrase begin; they end where the next one's begin.
struct Head {
  std::uint64_t words = 0;
  std::uint64_t rules = 0;
};

// Finds phrases among those sorted by hash.
class PhraseIndex {
 public:
  // The number of buckets is a power of two; there is one head behind the last.
  PhraseIndex(std::span<const Bucket> buckets, std::span<const Head> heads,
              std::span<const WordId> words);

  std::size_t size() const { return heads_.size() - 1; }
  // The number of the phrase, or size() if it is not there.
  std::size_t find(std::span<const WordId> phrase) const;
  // The same for many phrases, whose cache lines are asked for in turns, so that the waits overlap;
  // `ends` says where each phrase ends in `words`.
  void find_all(std::span<const WordId> words, std::span<const std::uint64_t> ends,
                std::span<std::uint64_t> numbers) const;
  std::span<const WordId> phrase(std::size_t number) const {
    const std::uint64_t begin = heads_[number].words;
    return words_.subspan(begin, heads_[number + 1].words - begin);
  }
  const Head& head(std::size_t number) const { return heads_[number]; }

 private:
  const Bucket& bucket(std::uint64_t hash) const;
  // The first phrase that may be the one with this hash, or size() if none can.
  std::size_t candidate(std::uint64_t hash) const;

  std::span<const Bucket> buckets_;
  std::span<const Head> heads_;
  std::span<const WordId> words_;
  unsigned shift_;
};

// How many buckets so many phrases need.
std::size_t bucket_count(std::size_t phrases);

// Buckets [begin, end) of `total`, for the phrases that fall into them: their hashes in rising
// order, and the number of the first.
std::vector<Bucket> make_buckets(std::span<const std::uint64_t> hashes, std::size_t first,
                                 std::size_t begin, std::size_t end, std::size_t total);

// A half-open range of rows.
struct RuleRange {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  std::uint64_t size() const { return end - begin; }
};

struct TableArrays {
  std::span<const Bucket> buckets;
  std::span<const Head> heads;
  std::span<const WordId> source_words;
  std::span<const std::uint64_t> target_ends;  // where each target phrase ends in `target_words`
  std::span<const WordId> target_words;
  std::span<const std::uint64_t> link_ends;   // where each set of links ends in `link_points`
  std::span<const std::uint8_t> link_points;  // two bytes a link: source word, target word
  std::span<const std::uint32_t> targets;     // of each rule
  std::span<const std::uint32_t> links;       // of each rule
  std::span<const float> scores;              // the same number of each rule
};

class TableView {
 public:
  // ModelError if the arrays cannot belong together.
  explicit TableView(const TableArrays& arrays);

  const PhraseIndex& sources() const { return sources_; }
  std::size_t size() const { return arrays_.targets.size(); }
  std::size_t target_count() const { return arrays_.target_ends.size(); }
  std::size_t score_count() const { return score_count_; }

  // The rules of a source phrase; an empty range if there are none.
  RuleRange find(std::span<const WordId> source) const {
    const std::size_t number = sources_.find(source);
    return number == sources_.size() ? RuleRange{} : rules(number);
  }
  RuleRange rules(std::size_t source) const {
    return {sources_.head(source).rules, sources_.head(source + 1).rules};
  }
  std::uint32_t target_number(std::uint64_t rule) const { return arrays_.targets[rule]; }
  std::span<const WordId> target(std::uint64_t rule) const {
    return target_phrase(arrays_.targets[rule]);
  }
  std::span<const WordId> target_phrase(std::size_t number) const {
    return piece(arrays_.target_words, arrays_.target_ends, number);
  }
  ByteView links(std::uint64_t rule) const {
    return piece(arrays_.link_points, arrays_.link_ends, arrays_.links[rule]);
  }
  std::span<const float> scores(std::uint64_t rule) const {
    return arrays_.scores.subspan(rule * score_count_, score_count_);
  }

 private:
  TableArrays arrays_;
  PhraseIndex sources_;
  std::size_t score_count_;
};

// Phrases given one after another, with equal ones brought together.
struct Grouping {
  std::vector<std::uint64_t> order;   // the phrases by hash, equal ones side by side, else as given
  std::vector<std::uint64_t> starts;  // where each group of equal phrases begins in `order`
};
Grouping group_phrases(std::span<const WordId> words, std::span<const std::uint64_t> ends);

std::vector<std::uint64_t> hash_phrases(std::span<const WordId> words,
                                        std::span<const std::uint64_t> ends);

}  // namespace miriam::rules
