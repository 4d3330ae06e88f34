#include "rules/recorder.hh"

#include <cstring>
#include <utility>

namespace miriam::rules {

void Recorder::add_rule(RuleRecord head, std::span<const WordId> source,
                        std::span<const WordId> target, ByteView links) {
  head.source_hash = hash_phrase(source);
  head.lengths = static_cast<std::uint8_t>(source.size() << 4 | target.size());
  head.link_count = static_cast<std::uint8_t>(links.size());
  auto* kept = append<RuleRecord>(rules_, head.bytes());
  *kept = head;
  auto* body = reinterpret_cast<std::uint8_t*>(kept + 1);
  std::memcpy(body, source.data(), source.size_bytes());
  std::memcpy(body + source.size_bytes(), target.data(), target.size_bytes());
  std::memcpy(body + source.size_bytes() + target.size_bytes(), links.data(), links.size());
}

void Recorder::add_target(std::span<const WordId> target, std::uint64_t hash, std::uint64_t count) {
  const TargetRecord record(hash, count, target.size());
  auto* kept = append<TargetRecord>(targets_, record.bytes());
  *kept = record;
  std::memcpy(static_cast<void*>(kept + 1), target.data(), target.size_bytes());
}

void Recorder::add_words(const SentencePair& pair) {
  collect_links(pair.source, pair.target, pair.links, lexical_);
}

Extracted Recorder::finish(std::size_t sentences) {
  const ByteView rules[] = {rules_};
  const ByteView targets[] = {targets_};
  return {sentences, merge_rules(rules), merge_targets(targets), count_keys(std::move(lexical_))};
}

}  // namespace miriam::rules
