// Reads n-best lists in Moses' format: `id ||| hypothesis ||| features ||| score`, one a line.
//
// Features are groups `Name= 1 2 ...` (of one value: the feature `Name`; of several: `Name.0`,
// `Name.1`, ...) and sparse ones `name=value`. What follows the score is ignored.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "lexicon/vocabulary.hh"

namespace miriam::tune {

// A block of lines taken apart, one entry a line; positions are byte offsets in the block.
struct NBestLines {
  std::vector<std::int64_t> sentences;         // the number in front
  std::vector<std::int64_t> hypothesis_begin;  // without the blanks around it
  std::vector<std::int64_t> hypothesis_end;
  std::vector<double> totals;         // the score, NaN where there is none
  std::vector<std::int64_t> offsets;  // where each line's features begin, and the end
  std::vector<std::int32_t> ids;  // of features, in `names`; each once a line, none with value 0
  std::vector<double> values;
};

// Throws InputError, "line N: ..." with N counted from `first_line`, at a line that is not one.
NBestLines parse_moses(std::string_view block, std::size_t first_line, lexicon::Vocabulary& names);

}  // namespace miriam::tune
