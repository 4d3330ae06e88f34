#include <string>
#include <vector>

#include "align/aligner.hh"
#include "align/links.hh"
#include "align/symmetrise.hh"
#include "align/training.hh"
#include "base/error.hh"
#include "tests/check.hh"

namespace {

using namespace miriam;
using namespace miriam::align;

// A bitext of `pairs` sentence pairs in which word n is translated by word n, in reverse order.
struct Sides {
  std::vector<WordId> source, target;
  std::vector<std::uint64_t> source_ends, target_ends;

  explicit Sides(std::size_t pairs) {
    WordId word = 1;
    for (std::size_t pair = 0; pair < pairs; ++pair) {
      const std::size_t length = pair % 12;
      for (std::size_t i = 0; i < length; ++i) source.push_back(word = word * 7 % 31);
      for (std::size_t i = 0; i < length; ++i) target.push_back(source[source.size() - 1 - i]);
      source_ends.push_back(source.size());
      target_ends.push_back(target.size());
    }
  }
  Bitext bitext() const { return {{source, source_ends}, {target, target_ends}}; }
};

struct Result {
  Table table;
  Directions links;
};

Result train(const Sides& sides, unsigned threads) {
  Progress progress;
  const Positions jumps = Jumps{std::vector<float>(11, 1.0f), 0.2};
  Training training(sides.bitext(), {31, 31}, threads, progress);
  for (const bool agree : {true, true, false}) {
    training.expect({jumps, jumps, agree}, threads, progress);
    training.maximise(0.0, threads);
  }
  Result result{training.table(), {}};
  const Table& t = result.table;
  const Aligner aligner{
      {t.row_ends, t.targets, t.translations, t.target_null, t.source_null}, jumps, jumps};
  result.links = align_best(aligner, sides.bitext(), threads, progress);
  return result;
}

void any_number_of_threads_gives_the_same() {
  const Sides sides(1000);
  const Result one = train(sides, 1);
  const Result four = train(sides, 4);
  CHECK(one.table.targets == four.table.targets);
  CHECK(one.table.target_null == four.table.target_null);
  bool same = one.table.translations.size() == four.table.translations.size();
  for (std::size_t k = 0; same && k < one.table.translations.size(); ++k) {
    same = one.table.translations[k].forward == four.table.translations[k].forward &&
           one.table.translations[k].reverse == four.table.translations[k].reverse;
  }
  CHECK(same);
  CHECK(one.links.forward.points == four.links.forward.points);
  CHECK(one.links.reverse.ends == four.links.reverse.ends);
  CHECK(one.links.forward.points.size() > sides.target.size() / 2);
}

void a_stopped_training_ends() {
  const Sides sides(1000);
  Progress progress;
  Training training(sides.bitext(), {31, 31}, 4, progress);
  progress.stop();
  bool stopped = false;
  try {
    training.expect({Uniform{}, Uniform{}, false}, 4, progress);
  } catch (const Interrupted&) {
    stopped = true;
  }
  CHECK(stopped);
}

void links_are_read_and_written() {
  const std::vector<std::uint64_t> ends{3, 5};
  const Links links = parse_links("2-1 0-0\n\n", {ends, ends}, 0, "file");
  CHECK(links.points == (std::vector<Link>{{0, 0}, {2, 1}}));
  CHECK(links.ends == (std::vector<std::uint64_t>{2, 2}));
  CHECK(format_links(links.view()) == "0-0 2-1\n\n");
  std::string message;
  try {
    parse_links("2-0\n", {ends, ends}, 1, "file");
  } catch (const InputError& error) {
    message = error.what();
  }
  CHECK(message.starts_with("file, line 2: the point 2-0 lies outside its sentence pair of 2 and"));
}

void growing_goes_through_the_target_words() {
  const Links forward{{{0, 0}, {1, 1}, {2, 2}}, {3}};
  const Links reverse{{{0, 0}, {1, 0}, {3, 4}}, {3}};
  const auto count = [&](Symmetrisation how) {
    return symmetrise(forward.view(), reverse.view(), how).points.size();
  };
  CHECK(count(Symmetrisation::intersection) == 1);
  CHECK(count(Symmetrisation::union_) == 5);
  CHECK(count(Symmetrisation::grow) == 3);
  CHECK(count(Symmetrisation::grow_diag) == 4);
  CHECK(count(Symmetrisation::grow_diag_final_and) == 5);
}

}  // namespace

int main() {
  any_number_of_threads_gives_the_same();
  a_stopped_training_ends();
  links_are_read_and_written();
  growing_goes_through_the_target_words();
  return miriam::test::failures();
}
