#include <array>
#include <cmath>
#include <vector>

#include "base/progress.hh"
#include "lm/arpa.hh"
#include "rules/table.hh"
#include "search/coverage.hh"
#include "search/decoder.hh"
#include "search/nonlocal.hh"
#include "tests/check.hh"

namespace {

using namespace miriam;
using namespace miriam::search;

void coverage_moves_its_window() {
  Coverage coverage;
  CHECK(coverage.takes(0, 64) && !coverage.takes(1, 65));
  coverage = coverage.with(2, 4).with(5, 6);
  CHECK(coverage.gap() == 0 && coverage.end() == 6 && coverage.ahead() == 3);
  CHECK(coverage.covers(3) && !coverage.covers(4) && !coverage.takes(1, 3));
  std::vector<std::uint32_t> gaps;
  coverage.for_each_gap([&](std::uint32_t begin, std::uint32_t end) {
    gaps.push_back(begin);
    gaps.push_back(end);
  });
  CHECK(gaps == (std::vector<std::uint32_t>{0, 2, 4, 5}));
  CHECK(coverage.with(0, 2) == Coverage().with(5, 6).with(0, 4));
  CHECK(coverage.with(0, 2).gap() == 4);
  CHECK(Coverage().with(0, 64).gap() == 64);
}

void blocks_merge_with_what_they_touch() {
  BlockStacks stacks;
  auto at = stacks.shift(BlockStacks::kEmpty, 2, 3);
  CHECK(at.event == Event::right);
  at = stacks.shift(at.stack, 0, 1);
  CHECK(at.event == Event::left);
  at = stacks.shift(at.stack, 1, 2);
  CHECK(at.event == Event::monotone);
  CHECK(at.stack == stacks.shift(BlockStacks::kEmpty, 0, 3).stack);
}

// A table with rules 0 -> 1, 0 -> 2 and 0 0 -> 1 2, scored by a column.
struct Tables {
  Tables() {
    const std::vector<std::vector<WordId>> phrases =
        rules::hash_phrase(one) < rules::hash_phrase(two)
            ? std::vector<std::vector<WordId>>{one, two}
            : std::vector<std::vector<WordId>>{two, one};
    std::vector<std::uint64_t> hashes;
    for (const auto& phrase : phrases) {
      hashes.push_back(rules::hash_phrase(phrase));
      heads.push_back({words.size(), targets.size()});
      words.insert(words.end(), phrase.begin(), phrase.end());
      for (const std::uint32_t target :
           phrase == one ? std::vector<std::uint32_t>{0, 1} : std::vector<std::uint32_t>{2}) {
        targets.push_back(target);
        links.push_back(0);
        scores.push_back(target == 1 ? -1.0f : -2.0f);
      }
    }
    heads.push_back({words.size(), targets.size()});
    const std::size_t count = rules::bucket_count(hashes.size());
    buckets = rules::make_buckets(hashes, 0, 0, count, count);
  }
  rules::TableView view() const {
    return rules::TableView({.buckets = buckets,
                             .heads = heads,
                             .source_words = words,
                             .target_ends = target_ends,
                             .target_words = target_words,
                             .link_ends = link_ends,
                             .link_points = {},
                             .targets = targets,
                             .links = links,
                             .scores = scores});
  }

  std::vector<WordId> one{0}, two{0, 0};
  std::vector<rules::Bucket> buckets;
  std::vector<rules::Head> heads;
  std::vector<WordId> words;
  std::vector<std::uint32_t> targets, links;
  std::vector<float> scores;
  std::vector<std::uint64_t> target_ends{1, 2, 4}, link_ends{0};
  std::vector<WordId> target_words{0, 1, 0, 1};
};

void threads_agree() {
  lm::ArpaReader reader;
  reader.add(
      "\\data\\\nngram 1=5\nngram 2=2\n\n\\1-grams:\n-2 <unk>\n-9 <s> -0.3\n-1 </s>\n"
      "-1 x -0.2\n-1 y -0.2\n\n\\2-grams:\n-0.5 <s> x\n-0.1 x y\n\n\\end\\\n");
  const lm::BuiltModel built = reader.finish();
  const lm::Model lm(built.table.view());
  const Tables tables;
  const rules::TableView table = tables.view();
  const std::vector<WordId> ids{3, 4};
  features::FeatureTable known;
  for (std::uint32_t i = 0; i < 3; ++i) known.intern(std::array{0u, i});
  Model model;
  model.tables.push_back({&table, 0, {{0, 0}}, {}});
  model.rule_count = 3;
  model.lms.push_back({&lm, ids, 1});
  model.distortion = 2;
  model.dense = 3;
  Decoder decoder(model, known);
  const std::vector<double> weights{0.5, 1.0, 0.3};
  const RuleFeatures none;
  const std::vector<WordId> words(200, 0);
  std::vector<Sentence> sentences(40);
  for (std::size_t i = 0; i < sentences.size(); ++i)
    sentences[i].words = std::span(words).first(5 * i);
  std::vector<double> first;
  for (const unsigned threads : {1u, 4u}) {
    Decoder::Call call{Weights(weights), threads, {}, &none, {{}}, nullptr, threads};
    call.settings.nbest = 3;
    Progress progress;
    const Candidates found = decoder.decode(sentences, call, progress);
    const CandidateFeatures values = decoder.features(sentences, found, call);
    CHECK(progress.done() == sentences.size());
    for (std::size_t c = 0; c < found.scores.size(); ++c) {
      double score = 0;
      for (std::size_t f = 0; f < 3; ++f) score += weights[f] * values.dense[3 * c + f];
      CHECK(std::abs(score - found.scores[c]) < 1e-9);
    }
    if (threads == 1) first = found.scores;
    CHECK(found.scores == first);
  }
}

}  // namespace

int main() {
  coverage_moves_its_window();
  blocks_merge_with_what_they_touch();
  threads_agree();
  return miriam::test::failures();
}
