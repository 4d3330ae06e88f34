#include <cmath>
#include <string>

#include "base/error.hh"
#include "tests/check.hh"
#include "tune/candidates.hh"
#include "tune/envelope.hh"
#include "tune/moses.hh"

namespace {

using namespace miriam::tune;

void a_constant_column_has_no_gradient() {
  const std::vector<std::int64_t> offsets{0, 2, 4, 5};
  const std::vector<std::int32_t> columns{0, 1, 0, 1, 0};
  const std::vector<double> values{0.1, 1, 0.1, 3, 0.1};
  const SparseRows rows{offsets, columns, values};
  check(rows, 2);
  const auto found = gradient(rows, std::vector<double>{-0.3, 0.1, 0.2}, 2);
  CHECK(found[0] == 0);
  CHECK(std::abs(found[1] - (-0.3 * 1 + 0.1 * 3)) < 1e-15);
  CHECK(scores(rows, std::vector<double>{10, 1})[1] == 4);
}

void bad_rows_are_refused() {
  const std::vector<std::int64_t> offsets{0, 1};
  const std::vector<std::int32_t> columns{7};
  const std::vector<double> values{1};
  bool refused = false;
  try {
    check({offsets, columns, values}, 2);
  } catch (const miriam::ConfigError&) {
    refused = true;
  }
  CHECK(refused);
}

void ids_are_numbered_in_order() {
  const auto numbering = number(std::vector<std::int32_t>{9, 2, 9, 5});
  CHECK((numbering.ids == std::vector<std::int32_t>{2, 5, 9}));
  CHECK((numbering.positions == std::vector<std::int32_t>{2, 0, 2, 1}));
}

void the_envelope_is_the_same_with_any_threads() {
  std::vector<std::int64_t> offsets{0};
  std::vector<double> slopes, intercepts;
  for (int s = 0; s < 200; ++s) {
    for (int i = 0; i < 50; ++i) {
      slopes.push_back(std::sin(s + 7.0 * i));
      intercepts.push_back(std::cos(3.0 * s + i));
    }
    offsets.push_back(static_cast<std::int64_t>(slopes.size()));
  }
  const auto one = envelopes(offsets, intercepts, slopes, 1);
  const auto four = envelopes(offsets, intercepts, slopes, 4);
  CHECK(one.at == four.at);
  CHECK(one.to == four.to);
  CHECK(one.at.size() > 200);
  const std::vector<double> direction{2, -1};
  std::vector<double> columns = slopes;
  columns.insert(columns.end(), intercepts.begin(), intercepts.end());
  const std::size_t n = slopes.size();
  CHECK(combine(columns, direction, n, 1) == combine(columns, direction, n, 4));
  CHECK(combine(columns, direction, n, 2)[7] == 2 * slopes[7] - intercepts[7]);
}

void a_line_is_taken_apart() {
  miriam::lexicon::Vocabulary names;
  const std::string block =
      "0 ||| a dog  ||| LM= -1.5 TM= 1 0 2 WT_a~b=1 LM= 1 ||| -3 ||| 0=0\n1 ||| ||| ||| 1\n";
  const auto lines = parse_moses(block, 1, names);
  CHECK((lines.sentences == std::vector<std::int64_t>{0, 1}));
  CHECK((lines.offsets == std::vector<std::int64_t>{0, 4, 4}));
  CHECK(lines.values[0] == -0.5);
  CHECK(names.view().word(3) == "TM.2");
  CHECK(lines.hypothesis_end[0] - lines.hypothesis_begin[0] == 5);
  CHECK(lines.totals[1] == 1);
}

void a_bad_line_is_named() {
  miriam::lexicon::Vocabulary names;
  std::string message;
  try {
    parse_moses("0 ||| a ||| LM= 1\n0 ||| a ||| LM= x\n", 7, names);
  } catch (const miriam::InputError& error) {
    message = error.what();
  }
  CHECK(message == "line 8: feature 'LM': the value 'x' is not a finite number");
}

}  // namespace

int main() {
  a_constant_column_has_no_gradient();
  bad_rows_are_refused();
  ids_are_numbered_in_order();
  the_envelope_is_the_same_with_any_threads();
  a_line_is_taken_apart();
  a_bad_line_is_named();
  return miriam::test::failures();
}
