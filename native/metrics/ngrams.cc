#include "metrics/ngrams.hh"

#include <algorithm>
#include <limits>

namespace miriam::metrics {
namespace {

std::size_t most_nodes(const Sequences& references, unsigned order) {
  if (order == 0) throw ConfigError("n-grams need an order of at least 1");
  if (references.total() > std::numeric_limits<std::uint32_t>::max() / order - 1) {
    throw ConfigError("the references are too long to be one sentence's");
  }
  return references.total() * order;
}

}  // namespace

NgramCounts::NgramCounts(const Sequences& references, unsigned order, Columns columns)
    : order_(order),
      columns_(columns == Columns::most ? 1 : references.size()),
      children_(most_nodes(references, order)),
      counts_(columns_, 0) {
  std::vector<std::uint32_t> own;  // by node: how often the reference at hand has it so far
  for (std::size_t r = 0; r < references.size(); ++r) {
    const Sequence reference = references[r];
    const std::size_t column = columns == Columns::most ? 0 : r;
    own.assign(own.size(), 0);
    for (std::size_t begin = 0; begin < reference.size(); ++begin) {
      std::uint32_t node = 0;
      const std::size_t end = std::min<std::size_t>(begin + order, reference.size());
      for (std::size_t i = begin; i < end && reference[i] != kNoMatch; ++i) {
        node = add_child(node, reference[i]);
        if (node >= own.size()) own.resize(node + 1, 0);
        std::uint32_t& count = counts_[node * columns_ + column];
        count = std::max(count, ++own[node]);
      }
    }
  }
}

std::uint32_t NgramCounts::add_child(std::uint32_t node, Id id) {
  std::uint32_t& found = children_[std::uint64_t{node} << 32 | id];
  if (found == 0) {
    found = static_cast<std::uint32_t>(counts_.size() / columns_);
    counts_.resize(counts_.size() + columns_, 0);
  }
  return found;
}

void NgramCounts::match(Sequence candidate, Scratch& scratch) const {
  scratch.seen.assign(counts_.size() / columns_, 0);
  scratch.matches.assign(order_ * columns_, 0);
  for (std::size_t begin = 0; begin < candidate.size(); ++begin) {
    std::uint32_t node = 0;
    std::uint64_t* matches = scratch.matches.data();
    const std::size_t end = std::min<std::size_t>(begin + order_, candidate.size());
    for (std::size_t i = begin; i < end; ++i, matches += columns_) {
      node = child(node, candidate[i]);
      if (node == 0) break;
      const std::uint32_t seen = ++scratch.seen[node];
      const std::uint32_t* counts = &counts_[node * columns_];
      for (std::size_t c = 0; c < columns_; ++c) matches[c] += seen <= counts[c];
    }
  }
}

}  // namespace miriam::metrics
