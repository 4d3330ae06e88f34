#include "rules/gaps.hh"

#include <algorithm>
#include <tuple>

namespace miriam::rules {
namespace {

// No word has this place: it was taken out.
constexpr std::uint8_t kTaken = 255;

std::size_t index(int i) { return static_cast<std::size_t>(i); }

auto by_source(const PhrasePair& pair) {
  return std::tuple(pair.source_begin, pair.source_end, pair.target_begin, pair.target_end);
}

bool within(const PhrasePair& inner, const PhrasePair& outer) {
  return inner.source_end <= outer.source_end && inner.target_begin >= outer.target_begin &&
         inner.target_end <= outer.target_end;
}

bool target_apart(const PhrasePair& a, const PhrasePair& b) {
  return a.target_end <= b.target_begin || b.target_end <= a.target_begin;
}

// One side of a rule: the words of a span, with the number of the gap for each that is taken out.
void write_side(std::span<const WordId> words, int begin, int end,
                std::span<const std::pair<int, int>> gaps, std::vector<WordId>& side,
                std::vector<std::uint8_t>& places) {
  side.clear();
  places.assign(index(end - begin), kTaken);
  for (int i = begin; i < end;) {
    const auto gap = std::ranges::find(gaps, i, [](const auto& span) { return span.first; });
    if (gap != gaps.end()) {
      side.push_back(static_cast<WordId>(gap - gaps.begin()));
      i = gap->second;
    } else {
      places[index(i - begin)] = static_cast<std::uint8_t>(side.size());
      side.push_back(words[index(i)]);
      ++i;
    }
  }
}

}  // namespace

std::span<const PhrasePair> GapFinder::find(const SentencePair& pair) {
  const auto pairs = finder_.find(static_cast<int>(pair.source.size()),
                                  static_cast<int>(pair.target.size()), pair.links);
  links_before_.assign(pair.source.size() + 1, 0);
  std::vector<bool> target_linked(pair.target.size());
  for (const align::Link& link : pair.links) {
    ++links_before_[link.source + 1];
    target_linked[link.target] = true;
  }
  for (std::size_t i = 0; i < pair.source.size(); ++i) links_before_[i + 1] += links_before_[i];
  const auto linked = [&](int i) { return links_before_[index(i + 1)] > links_before_[index(i)]; };
  initial_.clear();
  for (const PhrasePair& spans : pairs) {
    if (options_.tight &&
        !(linked(spans.source_begin) && linked(spans.source_end - 1) &&
          target_linked[index(spans.target_begin)] && target_linked[index(spans.target_end - 1)])) {
      continue;
    }
    initial_.push_back(spans);
  }
  std::ranges::sort(initial_, {}, by_source);
  starts_.assign(pair.source.size() + 1, 0);
  for (const PhrasePair& spans : initial_) ++starts_[index(spans.source_begin + 1)];
  for (std::size_t i = 0; i < pair.source.size(); ++i) starts_[i + 1] += starts_[i];
  return initial_;
}

std::span<const GapRule> GapFinder::rules(const PhrasePair& whole) {
  rules_.clear();
  add({whole, {}, 0});
  if (options_.max_gaps == 0) return rules_;
  find_inside(whole);
  for (std::size_t i = 0; i < inside_.size(); ++i) {
    const PhrasePair& first = inside_[i];
    add({whole, {first}, 1});
    if (options_.max_gaps == 1) continue;
    const int from = first.source_end + (options_.adjacent ? 0 : 1);
    for (std::size_t j = i + 1; j < inside_.size(); ++j) {
      const PhrasePair& second = inside_[j];
      if (second.source_begin >= from && target_apart(first, second)) {
        add({whole, {first, second}, 2});
      }
    }
  }
  return rules_;
}

// The initial phrase pairs within another, which may be taken out of it.
void GapFinder::find_inside(const PhrasePair& whole) {
  inside_.clear();
  const std::size_t end = starts_[index(whole.source_end)];
  for (std::size_t i = starts_[index(whole.source_begin)]; i < end; ++i) {
    if (within(initial_[i], whole)) inside_.push_back(initial_[i]);
  }
}

// Takes a rule that keeps to the limits. One with nothing but a gap has no links of its own.
void GapFinder::add(const GapRule& rule) {
  const auto links = [&](const PhrasePair& pair) {
    return links_before_[index(pair.source_end)] - links_before_[index(pair.source_begin)];
  };
  int symbols = rule.whole.source_end - rule.whole.source_begin;
  int kept = links(rule.whole);
  for (const PhrasePair& gap : rule.taken()) {
    symbols -= gap.source_end - gap.source_begin - 1;
    kept -= links(gap);
  }
  if (symbols <= options_.max_symbols && kept >= options_.least_links) rules_.push_back(rule);
}

void GapWriter::add(const SentencePair& pair) {
  for (const PhrasePair& whole : finder_.find(pair)) {
    const auto rules = finder_.rules(whole);
    const auto share = static_cast<double>(kCountUnit) / static_cast<double>(rules.size());
    const auto count = std::max(static_cast<std::uint32_t>(share + 0.5), std::uint32_t{1});
    for (const GapRule& rule : rules) add_rule(pair, rule, count);
  }
  recorder_.add_words(pair);
}

void GapWriter::add_rule(const SentencePair& pair, const GapRule& rule, std::uint32_t count) {
  write_sides(pair, rule);
  links_.clear();
  const auto source_begin = index(rule.whole.source_begin);
  const auto target_begin = index(rule.whole.target_begin);
  for (const align::Link& link : links_of(pair, source_begin, index(rule.whole.source_end))) {
    const std::uint8_t place = source_places_[link.source - source_begin];
    if (place == kTaken) continue;
    links_.push_back(
        static_cast<std::uint8_t>(place << 4 | target_places_[link.target - target_begin]));
  }
  const std::uint64_t hash = hash_phrase(target_);
  recorder_.add_rule({.source_hash = 0,
                      .target_hash = hash,
                      .domains = pair.domains,
                      .count = count,
                      .orientations = 0,
                      .lengths = 0,
                      .link_count = 0},
                     source_, target_, links_);
  recorder_.add_target(target_, hash, count);
}

void GapWriter::write_sides(const SentencePair& pair, const GapRule& rule) {
  std::array<std::pair<int, int>, kMaxGaps> source_gaps;
  std::array<std::pair<int, int>, kMaxGaps> target_gaps;
  for (std::size_t i = 0; i < rule.gap_count; ++i) {
    source_gaps[i] = {rule.gaps[i].source_begin, rule.gaps[i].source_end};
    target_gaps[i] = {rule.gaps[i].target_begin, rule.gaps[i].target_end};
  }
  const PhrasePair& whole = rule.whole;
  write_side(pair.source, whole.source_begin, whole.source_end,
             std::span(source_gaps).first(rule.gap_count), source_, source_places_);
  write_side(pair.target, whole.target_begin, whole.target_end,
             std::span(target_gaps).first(rule.gap_count), target_, target_places_);
}

}  // namespace miriam::rules
