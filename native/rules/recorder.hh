// Collects the records of extracted rules, whatever the kind of the rules.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "rules/bitext.hh"
#include "rules/lexical.hh"
#include "rules/records.hh"

namespace miriam::rules {

// What a run of sentences yields.
struct Extracted {
  std::size_t sentences;  // how many were taken before `max_bytes` of records had come together
  Run rules;
  Run targets;
  LexicalCounts lexical;
};

class Recorder {
 public:
  // `head` has the target's hash, domains, count and orientations; the rest is filled in.
  void add_rule(RuleRecord head, std::span<const WordId> source, std::span<const WordId> target,
                ByteView links);
  void add_target(std::span<const WordId> target, std::uint64_t hash, std::uint64_t count);
  void add_words(const SentencePair& pair);

  std::size_t bytes() const { return rules_.size() + targets_.size(); }
  Extracted finish(std::size_t sentences);

 private:
  Bytes rules_;
  Bytes targets_;
  std::vector<std::uint64_t> lexical_;
};

}  // namespace miriam::rules
