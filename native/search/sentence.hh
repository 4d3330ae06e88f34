// What is to be translated: words, and what the caller knows better than the tables.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "search/model.hh"

namespace miriam::search {

// A rule made for one call: the copy of an unknown word, or a forced translation.
struct ExtraRule {
  std::uint16_t begin, end;  // the span it translates
  bool unknown;              // used only where no rule translates the word; has the unknown feature
  bool exclusive;            // no other rule may touch its words
  std::span<const WordId> target;
};

// Everything in [begin, at) is translated before anything in [at, end).
struct Wall {
  std::uint16_t begin, at, end;
};

// Once a word of [begin, end) is translated, the rest follows before any word outside.
struct Zone {
  std::uint16_t begin, end;
};

enum class Target : std::uint8_t { open, prefix, whole };

struct Sentence {
  static constexpr std::size_t kMaxWords = 65'000;

  std::uint32_t index = 0;  // in its batch
  std::span<const WordId> words;
  std::span<const ExtraRule> extra;
  RuleId first_extra = 0;  // the rule id of extra[0]
  std::vector<Wall> walls;
  std::vector<Zone> zones;
  std::vector<std::uint32_t> totals;   // of each ratio: its denominator; 0: no such feature
  std::vector<std::uint32_t> domains;  // whose copies of features fire, counted from 1
  std::uint64_t domain_bits = 0;       // the same as bits, as rules have them
  Target target_use = Target::open;
  std::span<const WordId> target;  // that the translation must begin with, or be
};

// The target words of a rule of a table or of the sentence's own.
inline std::span<const WordId> target_of(const Model& model, const Sentence& sentence,
                                         RuleId rule) {
  const TableUse* use = model.table_of(rule);
  return use != nullptr ? use->table->target(rule - use->first_rule)
                        : sentence.extra[rule - sentence.first_extra].target;
}

}  // namespace miriam::search
