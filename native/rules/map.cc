#include "rules/map.hh"

#include <algorithm>
#include <string>
#include <utility>

#include "base/error.hh"

namespace miriam::rules {
namespace {

// One sentence pair of a bitext.
struct Pair {
  std::span<const WordId> source, target;
  std::span<const align::Link> links;  // sorted
  std::uint64_t domains;
};

Pair sentence(const Bitext& bitext, std::size_t i) {
  return {piece(bitext.source_ids, bitext.lengths.source_ends, i),
          piece(bitext.target_ids, bitext.lengths.target_ends, i), bitext.links[i],
          bitext.domains.empty() ? 0 : bitext.domains[i]};
}

class Writer {
 public:
  Writer(const ExtractOptions& options, bool any_length)
      : options_(options), finder_(options.max_length, any_length) {}

  void add(const Pair& pair) {
    const auto pairs = finder_.find(static_cast<int>(pair.source.size()),
                                    static_cast<int>(pair.target.size()), pair.links);
    PhrasePair last{-1, -1, -1, -1};
    std::uint64_t target_hash = 0;
    for (const PhrasePair& spans : pairs) {
      if (spans.target_begin != last.target_begin || spans.target_end != last.target_end) {
        target_hash = hash_phrase(target_of(pair, spans));
        last = spans;
      }
      add_rule(pair, spans, target_hash);
      add_target(target_of(pair, spans), target_hash);
    }
    collect_links(pair.source, pair.target, pair.links, lexical_);
  }

  std::size_t bytes() const { return rules_.size() + targets_.size(); }

  Extracted finish(std::size_t sentences) {
    const ByteView rules[] = {rules_};
    const ByteView targets[] = {targets_};
    return {sentences, merge_rules(rules), merge_targets(targets), count_keys(std::move(lexical_))};
  }

 private:
  static std::span<const WordId> target_of(const Pair& pair, const PhrasePair& spans) {
    return pair.target.subspan(static_cast<std::size_t>(spans.target_begin),
                               static_cast<std::size_t>(spans.target_end - spans.target_begin));
  }

  // The links inside the pair, a byte each. Those of a source word are consecutive in `links`, and
  // consistency keeps all of them inside.
  void links_within(const Pair& pair, const PhrasePair& spans) {
    links_.clear();
    const auto begin = static_cast<std::uint32_t>(spans.source_begin);
    const auto first = std::ranges::lower_bound(pair.links, begin, {}, &align::Link::source);
    for (auto link = first;
         link != pair.links.end() && link->source < static_cast<std::uint32_t>(spans.source_end);
         ++link) {
      links_.push_back(static_cast<std::uint8_t>(
          (link->source - begin) << 4 |
          (link->target - static_cast<std::uint32_t>(spans.target_begin))));
    }
  }

  void add_rule(const Pair& pair, const PhrasePair& spans, std::uint64_t target_hash) {
    const auto source =
        pair.source.subspan(static_cast<std::size_t>(spans.source_begin),
                            static_cast<std::size_t>(spans.source_end - spans.source_begin));
    const auto target = target_of(pair, spans);
    links_within(pair, spans);
    RuleRecord record{.source_hash = hash_phrase(source),
                      .target_hash = target_hash,
                      .domains = pair.domains,
                      .count = 1,
                      .orientations = orientations(spans),
                      .lengths = static_cast<std::uint8_t>(source.size() << 4 | target.size()),
                      .link_count = static_cast<std::uint8_t>(links_.size())};
    auto* kept = append<RuleRecord>(rules_, record.bytes());
    *kept = record;
    auto* body = reinterpret_cast<std::uint8_t*>(kept + 1);
    std::memcpy(body, source.data(), source.size_bytes());
    std::memcpy(body + source.size_bytes(), target.data(), target.size_bytes());
    std::memcpy(body + source.size_bytes() + target.size_bytes(), links_.data(), links_.size());
  }

  void add_target(std::span<const WordId> target, std::uint64_t hash) {
    const TargetRecord record{hash, 1, static_cast<std::uint32_t>(target.size())};
    auto* kept = append<TargetRecord>(targets_, record.bytes());
    *kept = record;
    std::memcpy(static_cast<void*>(kept + 1), target.data(), target.size_bytes());
  }

  std::uint16_t orientations(const PhrasePair& spans) const {
    unsigned bits = 0;
    unsigned shift = 0;
    for (const Reordering kind : options_.reorderings) {
      const auto previous = static_cast<unsigned>(with_previous(finder_.matrix(), spans, kind));
      const auto next = static_cast<unsigned>(with_next(finder_.matrix(), spans, kind));
      bits |= (previous << 2 | next) << shift;
      shift += 4;
    }
    return static_cast<std::uint16_t>(bits);
  }

  const ExtractOptions& options_;
  SpanFinder finder_;
  Bytes rules_;
  Bytes targets_;
  Bytes links_;
  std::vector<std::uint64_t> lexical_;
};

void check(const ExtractOptions& options) {
  if (options.max_length < 1 || options.max_length > kMaxPhraseWords) {
    throw ConfigError("the longest phrase must have 1 to 15 words, not " +
                      std::to_string(options.max_length));
  }
  if (options.reorderings.size() > kMaxReorderings) {
    throw ConfigError("at most four kinds of reordering can be learnt at once");
  }
}

}  // namespace

Extracted extract(const Bitext& bitext, std::size_t begin, const ExtractOptions& options,
                  std::size_t max_bytes, Progress& progress) {
  check(options);
  bool any_length = false;
  for (const Reordering kind : options.reorderings) any_length |= kind >= Reordering::kHierarchical;
  Writer writer(options, any_length);
  std::size_t i = begin;
  for (; i < bitext.lengths.size() && (i == begin || writer.bytes() < max_bytes); ++i) {
    writer.add(sentence(bitext, i));
    progress.advance();
  }
  return writer.finish(i - begin);
}

}  // namespace miriam::rules
