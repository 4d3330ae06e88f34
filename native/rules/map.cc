#include "rules/map.hh"

#include <string>

#include "base/error.hh"

namespace miriam::rules {
namespace {

// Records the phrase pairs of sentence pairs.
class PhraseWriter {
 public:
  PhraseWriter(const ExtractOptions& options, bool any_length, Recorder& recorder)
      : options_(options), finder_(options.max_length, any_length), recorder_(recorder) {}

  void add(const SentencePair& pair) {
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
      recorder_.add_target(target_of(pair, spans), target_hash, 1);
    }
    recorder_.add_words(pair);
  }

 private:
  static std::span<const WordId> target_of(const SentencePair& pair, const PhrasePair& spans) {
    return pair.target.subspan(static_cast<std::size_t>(spans.target_begin),
                               static_cast<std::size_t>(spans.target_end - spans.target_begin));
  }

  // The links inside the pair, a byte each: consistency keeps all those of its words inside.
  void links_within(const SentencePair& pair, const PhrasePair& spans) {
    links_.clear();
    const auto begin = static_cast<std::uint32_t>(spans.source_begin);
    for (const align::Link& link :
         links_of(pair, begin, static_cast<std::uint32_t>(spans.source_end))) {
      links_.push_back(static_cast<std::uint8_t>(
          (link.source - begin) << 4 |
          (link.target - static_cast<std::uint32_t>(spans.target_begin))));
    }
  }

  void add_rule(const SentencePair& pair, const PhrasePair& spans, std::uint64_t target_hash) {
    const auto source =
        pair.source.subspan(static_cast<std::size_t>(spans.source_begin),
                            static_cast<std::size_t>(spans.source_end - spans.source_begin));
    links_within(pair, spans);
    recorder_.add_rule({.source_hash = 0,
                        .target_hash = target_hash,
                        .domains = pair.domains,
                        .count = 1,
                        .orientations = orientations(spans),
                        .lengths = 0,
                        .link_count = 0},
                       source, target_of(pair, spans), links_);
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
  Recorder& recorder_;
  Bytes links_;
};

void check(const ExtractOptions& options) {
  if (options.max_length < 1 || options.max_length > kMaxPhraseWords) {
    throw ConfigError("the longest phrase must have 1 to 15 words, not " +
                      std::to_string(options.max_length));
  }
  if (options.reorderings.size() > kMaxReorderings) {
    throw ConfigError("at most four kinds of reordering can be learnt at once");
  }
  if (options.gaps && (options.gaps->max_gaps < 0 || options.gaps->least_links < 1 ||
                       static_cast<std::size_t>(options.gaps->max_gaps) > kMaxGaps)) {
    throw ConfigError("rules can have 0 to 2 gaps, and must have a link");
  }
}

}  // namespace

Extracted extract(const Bitext& bitext, std::size_t begin, const ExtractOptions& options,
                  std::size_t max_bytes, Progress& progress) {
  check(options);
  Recorder recorder;
  const auto record = [&](auto writer) {
    std::size_t i = begin;
    for (; i < bitext.lengths.size() && (i == begin || recorder.bytes() < max_bytes); ++i) {
      writer.add(sentence_pair(bitext, i));
      progress.advance();
    }
    return recorder.finish(i - begin);
  };
  if (options.gaps) return record(GapWriter(options.max_length, *options.gaps, recorder));
  bool any_length = false;
  for (const Reordering kind : options.reorderings) any_length |= kind >= Reordering::kHierarchical;
  return record(PhraseWriter(options, any_length, recorder));
}

}  // namespace miriam::rules
