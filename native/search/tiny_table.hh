// A rule table in memory (stand-in until native/rules is merged).
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "base/hash.hh"
#include "base/intern.hh"

namespace miriam::search::tiny {

class Table {
 public:
  // arrays: sources flat+ends per phrase; rule_ends per phrase; targets flat+ends per rule; scores row-major
  std::vector<std::uint32_t> sources, source_ends, rule_ends, targets, target_ends;
  std::vector<float> scores;
  std::uint32_t columns = 0;

  void index() {
    for (std::uint32_t p = 0; p < source_ends.size(); ++p) {
      const std::uint32_t begin = p == 0 ? 0 : source_ends[p - 1];
      (void)table_.intern({sources.data() + begin, source_ends[p] - begin});
    }
  }
  std::uint32_t size() const { return static_cast<std::uint32_t>(target_ends.size()); }
  struct RuleRange {
    std::uint64_t begin = 0, end = 0;
  };
  RuleRange find(std::span<const std::uint32_t> source) const {
    const std::uint32_t p = table_.find(source);
    if (p == kNone) return {};
    return {p == 0 ? 0 : rule_ends[p - 1], rule_ends[p]};
  }
  std::span<const std::uint32_t> target(std::uint64_t row) const {
    const std::uint32_t begin = row == 0 ? 0 : target_ends[row - 1];
    return {targets.data() + begin, target_ends[row] - begin};
  }
  std::span<const float> scores_of(std::uint64_t row) const {
    return {scores.data() + row * columns, columns};
  }

 private:
  SequenceTable table_;
};

}  // namespace miriam::search::tiny
