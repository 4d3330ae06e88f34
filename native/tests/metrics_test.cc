#include <vector>

#include "base/parallel.hh"
#include "metrics/bleu.hh"
#include "metrics/chrf.hh"
#include "metrics/edits.hh"
#include "tests/check.hh"

namespace {

using namespace miriam::metrics;

// Sequences and what they view.
struct Text {
  explicit Text(const std::vector<std::vector<Id>>& lines) {
    for (const auto& line : lines) {
      ids.insert(ids.end(), line.begin(), line.end());
      ends.push_back(ids.size());
    }
  }
  operator Sequences() const { return {ids, ends}; }

  std::vector<Id> ids;
  std::vector<std::uint64_t> ends;
};

using Rows = std::vector<double>;

void matches_are_clipped_to_the_reference_that_has_most() {
  const Text references({{1, 1, 2}, {1, 2, 2}});
  const BleuReferences bleu(references, ReferenceLength::closest);
  CHECK(bleu.stats(Text({{1, 1, 1, 2}})) == (Rows{4, 3, 3, 2, 1, 0, 4, 3, 2, 1}));
}

void of_two_equally_close_lengths_the_shorter_counts() {
  const Text references({{1, 2, 3, 4, 5}, {1, 2, 3}});
  CHECK(BleuReferences(references, ReferenceLength::closest).stats(Text({{9, 9, 9, 9}}))[1] == 3);
  CHECK(BleuReferences(references, ReferenceLength::closest).stats(Text({{9, 9, 9, 9, 9}}))[1] ==
        5);
  CHECK(BleuReferences(references, ReferenceLength::shortest).stats(Text({{9, 9, 9, 9, 9}}))[1] ==
        3);
}

void chrf_takes_the_better_reference() {
  const ChrfReferences chrf(Text({{7, 8}, {1, 2}}), 2, 2.0);
  const Rows rows = chrf.stats(Text({{1, 2}, {}}));
  CHECK(rows == (Rows{2, 2, 2, 1, 1, 1, 0, 2, 0, 0, 1, 0}));
  CHECK(chrf.scores(rows) == (Rows{100, 0}));
}

void edits_cross_the_blocks_of_64() {
  std::vector<Id> reference, candidate;
  for (Id i = 0; i < 200; ++i) reference.push_back(i);
  for (Id i = 0; i < 200; ++i) {
    if (i != 63 && i != 64) candidate.push_back(i == 128 ? 999 : i);
  }
  const EditReferences edits(Text({reference}));
  CHECK(edits.stats(Text({candidate, reference, {}})) == (Rows{3, 200, 0, 200, 200, 200}));
}

void an_empty_reference_is_only_right_for_an_empty_candidate() {
  const EditReferences edits(Text({{1, 2, 3}, {}}));
  CHECK(edits.stats(Text({{}, {4, 5}})) == (Rows{0, 0, 3, 3}));
}

void several_threads_share_the_references() {
  const Text references({{1, 2, 3, 4}, {1, 2, 2}}), candidates({{1, 2, 3}, {2, 2, 4}, {}});
  const BleuReferences bleu(references, ReferenceLength::closest);
  const ChrfReferences chrf(references, 6, 2.0);
  const EditReferences edits(references);
  const Rows expected[] = {bleu.stats(candidates), chrf.stats(candidates), edits.stats(candidates)};
  miriam::parallel_for(64, 4, [&](std::size_t) {
    if (bleu.stats(candidates) != expected[0] || chrf.stats(candidates) != expected[1] ||
        edits.stats(candidates) != expected[2]) {
      throw miriam::Error("threads disturb each other");
    }
  });
}

}  // namespace

int main() {
  matches_are_clipped_to_the_reference_that_has_most();
  of_two_equally_close_lengths_the_shorter_counts();
  chrf_takes_the_better_reference();
  edits_cross_the_blocks_of_64();
  an_empty_reference_is_only_right_for_an_empty_candidate();
  several_threads_share_the_references();
  return miriam::test::failures();
}
