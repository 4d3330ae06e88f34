#include "search/rule_features.hh"

#include <algorithm>

#include "base/error.hh"

namespace miriam::search {

void RuleFeatures::add(const Batch& batch, const Model& model) {
  const std::size_t count = batch.rules.size();
  const bool fits = batch.ends.size() == count && batch.flags.size() == count &&
                    batch.ids.size() == batch.values.size() &&
                    batch.ids.size() == (count == 0 ? 0 : batch.ends.back()) &&
                    std::ranges::is_sorted(batch.ends) &&
                    batch.orientation_keys.size() == count * model.orientations.size() &&
                    batch.boundary_keys.size() == count * 2 * model.boundaries.size() &&
                    batch.counts.size() == count * model.ratios.size() &&
                    batch.strides.size() == (model.domains == 0 ? 0 : batch.ids.size()) &&
                    batch.domains.size() == (model.domains == 0 ? 0 : count);
  if (!fits) throw InputError("the arrays of rule features do not fit together");
  const std::uint64_t offset = ids_.size();
  for (std::size_t i = 0; i < count; ++i) {
    const auto fresh = static_cast<std::uint32_t>(rules_.size());
    const std::uint32_t row =
        index_.find_or_add(mix(batch.rules[i]), fresh,
                           [&](std::uint32_t other) { return rules_[other] == batch.rules[i]; });
    if (row != fresh) throw InputError("the features of a rule were given twice");
    rules_.push_back(batch.rules[i]);
    ends_.push_back(offset + batch.ends[i]);
  }
  const auto append = [](auto& to, const auto& from) {
    to.insert(to.end(), from.begin(), from.end());
  };
  append(ids_, batch.ids);
  append(values_, batch.values);
  append(orientation_keys_, batch.orientation_keys);
  append(boundary_keys_, batch.boundary_keys);
  append(counts_, batch.counts);
  append(flags_, batch.flags);
  append(strides_, batch.strides);
  append(domains_, batch.domains);
}

std::uint32_t RuleFeatures::find(RuleId rule) const {
  if (rules_.empty()) return kNone;
  return index_.find(mix(rule), [&](std::uint32_t other) { return rules_[other] == rule; });
}

RuleFeatures::Row RuleFeatures::operator[](std::uint32_t row) const {
  const std::uint64_t begin = row == 0 ? 0 : ends_[row - 1];
  const std::size_t orientations = orientation_keys_.size() / rules_.size();
  const std::size_t boundaries = boundary_keys_.size() / rules_.size();
  const std::size_t counts = counts_.size() / rules_.size();
  return {
      {ids_.data() + begin, ends_[row] - begin},
      {values_.data() + begin, ends_[row] - begin},
      {orientation_keys_.data() + row * orientations, orientations},
      {boundary_keys_.data() + row * boundaries, boundaries},
      {counts_.data() + row * counts, counts},
      flags_[row],
      {strides_.data() + (strides_.empty() ? 0 : begin), strides_.empty() ? 0 : ends_[row] - begin},
      domains_.empty() ? 0 : domains_[row]};
}

}  // namespace miriam::search
