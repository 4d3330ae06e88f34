#include <cmath>
#include <string>

#include "lm/estimate.hh"
#include "lm/model.hh"
#include "tests/check.hh"

namespace {

using namespace miriam;
using namespace miriam::lm;

std::string text_of(std::size_t lines) {
  std::string text;
  std::uint64_t number = 1;
  for (std::size_t i = 0; i < lines; ++i) {
    for (std::size_t k = 0; k < 10; ++k) {
      number = mix(number + i + k);
      text += "w" + std::to_string(number % 200) + (k == 9 ? "\n" : " ");
    }
  }
  return text;
}

std::string estimated(const std::string& text, std::uint64_t memory, unsigned threads) {
  Estimator estimator({4, memory, threads, "/tmp", {}});
  Progress progress;
  estimator.add(text, 1);
  estimator.count(progress);
  estimator.estimate(progress);
  ArpaWriter writer(estimator.source(), threads);
  std::string arpa;
  for (std::string piece = writer.next(); !piece.empty(); piece = writer.next()) arpa += piece;
  return arpa;
}

void neither_threads_nor_memory_change_a_model() {
  const std::string text = text_of(4000);
  const std::string arpa = estimated(text, std::uint64_t{1} << 30, 1);
  CHECK(arpa == estimated(text, std::uint64_t{1} << 30, 4));
  CHECK(arpa == estimated(text, std::uint64_t{1} << 20, 1));
  CHECK(arpa == estimated(text, std::uint64_t{1} << 20, 4));
}

void records_are_sorted() {
  for (const unsigned threads : {1u, 4u}) {
    std::vector<std::uint32_t> records;
    for (std::uint32_t i = 0; i < 90000; ++i) {
      records.push_back(static_cast<std::uint32_t>(mix(i) % 300));
    }
    sort_records(records.data(), records.size() / 3, 3, threads);
    for (std::size_t i = 3; i < records.size(); i += 3) {
      CHECK(!std::lexicographical_compare(&records[i], &records[i] + 3, &records[i - 3],
                                          &records[i]));
    }
  }
}

// A table sized for fewer n-grams than it gets: suffixes that nobody listed make it grow.
void a_table_grows() {
  constexpr WordId kWords = 120;
  TableBuilder table({kWords, kWords, kWords});
  for (WordId word = 0; word < kWords; ++word) table.add_unigram(word, {-1.0f, -0.5f});
  const auto add = [&](std::vector<WordId> words) { return table.add(words, {-0.5f, -0.25f}); };
  for (WordId word = 3; word + 2 < kWords; ++word) CHECK(add({2, word}) == Added::kYes);
  for (WordId word = 3; word + 2 < kWords; ++word) {
    for (const WordId last : {5u, 6u, 7u, 8u}) CHECK(add({2, word, last}) == Added::kYes);
  }
  CHECK(add({2, 3, 5}) == Added::kTwice);
  CHECK(add({3, 5, 6}) == Added::kNoContext);  // "3 5" is there, but only as a suffix
  CHECK(table.counts()[1] == 5 * (kWords - 5));
  const Model model(table.view());
  State state;
  State next;
  model.match({}, 2, state);
  model.match(state, 3, next);
  CHECK(std::fabs(model.match(next, 5, state).log10 + 0.5f) < 1e-6f);
  model.match({}, 3, next);
  CHECK(std::fabs(model.match(next, 5, state).log10 + 1.5f) < 1e-6f);  // backed off
}

void a_stop_is_heard() {
  Estimator estimator({3, std::uint64_t{1} << 20, 2, "/tmp", {}});
  estimator.add(text_of(100), 1);
  Progress progress;
  progress.stop();
  bool interrupted = false;
  try {
    estimator.count(progress);
  } catch (const Interrupted&) {
    interrupted = true;
  }
  CHECK(interrupted);
}

}  // namespace

int main() {
  neither_threads_nor_memory_change_a_model();
  records_are_sorted();
  a_table_grows();
  a_stop_is_heard();
  return test::failures();
}
