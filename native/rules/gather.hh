// Rules of a table, copied side by side into arrays.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "rules/table.hh"

namespace miriam::rules {

struct RuleParts {
  std::vector<WordId> source, target;  // words
  std::vector<std::uint32_t> links;    // source word * 256 + target word
  std::vector<std::uint64_t> source_ends, target_ends, link_ends;  // of each rule
};

RuleParts gather(const TableView& table, std::span<const std::uint64_t> rows);

}  // namespace miriam::rules
