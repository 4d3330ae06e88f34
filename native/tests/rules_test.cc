#include <algorithm>
#include <string>

#include "base/error.hh"
#include "base/parallel.hh"
#include "rules/map.hh"
#include "rules/reduce.hh"
#include "rules/table.hh"
#include "tests/check.hh"

namespace {

using namespace miriam::rules;
using miriam::align::Link;

// A rule record with words, links and hashes of one's own choice.
void add(Bytes& arena, std::uint64_t source_hash, std::uint64_t target_hash,
         const std::vector<WordId>& source, const std::vector<WordId>& target) {
  RuleRecord record{.source_hash = source_hash,
                    .target_hash = target_hash,
                    .domains = 0,
                    .count = 1,
                    .orientations = 0,
                    .lengths = static_cast<std::uint8_t>(source.size() << 4 | target.size()),
                    .link_count = 1};
  auto* kept = append<RuleRecord>(arena, record.bytes());
  *kept = record;
  auto* words = reinterpret_cast<WordId*>(kept + 1);
  words = std::copy(source.begin(), source.end(), words);
  std::copy(target.begin(), target.end(), words);
}

void phrases_that_share_a_hash_are_kept_apart() {
  Bytes arena;
  for (const WordId target : {1u, 2u, 3u}) {
    add(arena, 7, target, {10}, {target});
    add(arena, 7, target, {20}, {target});
  }
  add(arena, 7, 2, {10}, {2});
  const ByteView buffers[] = {arena};
  const auto sorted = sorted_rules(buffers);
  std::size_t changes = 0;
  for (std::size_t i = 1; i < sorted.size(); ++i)
    changes += !same_source(*sorted[i - 1], *sorted[i]);
  CHECK(changes == 1);
  const Run merged = merge_rules(buffers);
  const ByteView again[] = {merged.bytes};
  CHECK(sorted_rules(again).size() == 6);
  CHECK(merged.offsets.back() == merged.bytes.size());
}

void target_phrases_that_share_a_hash_have_their_own_totals() {
  Bytes rules;
  add(rules, 1, 9, {10}, {5});
  add(rules, 1, 9, {10}, {6});
  Bytes targets;
  for (const WordId word : {5u, 6u}) {
    const TargetRecord record(9, word, 1);
    auto* kept = append<TargetRecord>(targets, record.bytes());
    *kept = record;
    *reinterpret_cast<WordId*>(kept + 1) = word;
  }
  const ByteView buffers[] = {rules};
  RulePartition partition(buffers);
  partition.join(targets);
  const LexicalTable lexical({}, {});
  miriam::Progress progress;
  const RuleColumns columns = partition.finish(lexical, {{}, 0.5, false}, progress);
  CHECK(columns.targets == (std::vector<std::uint32_t>{0, 1}));
  CHECK(columns.scores[0] < 0 && columns.scores[6] < columns.scores[0]);  // 1/5 and 1/6
}

void records_cut_short_are_refused() {
  Bytes arena;
  add(arena, 1, 1, {1}, {1});
  arena.resize(arena.size() - 8);
  const ByteView buffers[] = {arena};
  bool refused = false;
  try {
    sorted_rules(buffers);
  } catch (const miriam::ModelError&) {
    refused = true;
  }
  CHECK(refused);
}

// A bucket with more phrases than tags, which real hashes do not give in a test's time.
void a_full_bucket_is_searched_to_its_end() {
  std::vector<Bucket> buckets(1);
  std::vector<Head> heads;
  std::vector<WordId> words;
  for (WordId i = 0; i < 20; ++i) {
    const WordId word[] = {i};
    if (i < 14) buckets[0].tags[i] = static_cast<std::uint32_t>(hash_phrase(word));
    heads.push_back({words.size(), i});
    words.push_back(i);
  }
  heads.push_back({words.size(), words.size()});
  buckets[0].size = 20;
  const PhraseIndex index(buckets, heads, words);
  for (WordId i = 0; i < 25; ++i) {
    const WordId word[] = {i};
    CHECK(index.find(word) == std::min<std::size_t>(i, 20));
  }
}

// Threads extract shards and look up phrases at the same time; each has state of its own.
void threads_do_not_meet() {
  const std::vector<WordId> ids{0, 1, 2};
  const std::vector<std::uint64_t> ends{3};
  const std::vector<Link> links{{0, 0}, {1, 2}, {2, 1}};
  const std::vector<Reordering> kinds{Reordering::kHierarchical, Reordering::kSymmetric};
  std::vector<std::size_t> sizes(16);
  miriam::Progress progress;
  miriam::parallel_for(sizes.size(), 4, [&](std::size_t i) {
    const Bitext bitext{ids, ids, {ends, ends}, {links, ends}, {}};
    const Extracted extracted = extract(bitext, 0, {7, kinds, {}}, 1 << 20, progress);
    sizes[i] = extracted.rules.bytes.size();
  });
  CHECK(sizes.front() > 0);
  CHECK(std::ranges::all_of(sizes, [&](std::size_t size) { return size == sizes.front(); }));
}

}  // namespace

int main() {
  phrases_that_share_a_hash_are_kept_apart();
  target_phrases_that_share_a_hash_have_their_own_totals();
  records_cut_short_are_refused();
  a_full_bucket_is_searched_to_its_end();
  threads_do_not_meet();
  return miriam::test::failures();
}
