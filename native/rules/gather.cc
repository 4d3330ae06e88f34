#include "rules/gather.hh"

#include "base/error.hh"

namespace miriam::rules {
namespace {

// The source phrase that has a row: the last whose rules begin there or before.
std::size_t source_of(const PhraseIndex& sources, std::uint64_t row) {
  std::size_t low = 0, high = sources.size();
  while (high - low > 1) {
    const std::size_t middle = low + (high - low) / 2;
    (sources.head(middle).rules <= row ? low : high) = middle;
  }
  return low;
}

}  // namespace

RuleParts gather(const TableView& table, std::span<const std::uint64_t> rows) {
  RuleParts parts;
  const auto append = [](auto& to, const auto& from) {
    to.insert(to.end(), from.begin(), from.end());
  };
  for (const std::uint64_t row : rows) {
    if (row >= table.size()) throw InputError("the table has no such rule");
    append(parts.source, table.sources().phrase(source_of(table.sources(), row)));
    append(parts.target, table.target(row));
    const ByteView points = table.links(row);
    for (std::size_t i = 0; i + 1 < points.size(); i += 2)
      parts.links.push_back(std::uint32_t{points[i]} << 8 | points[i + 1]);
    parts.source_ends.push_back(parts.source.size());
    parts.target_ends.push_back(parts.target.size());
    parts.link_ends.push_back(parts.links.size());
  }
  return parts;
}

}  // namespace miriam::rules
