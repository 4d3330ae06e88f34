// What feature templates say of rules, computed once per rule and run.
//
// Templates are Python and work on batches of rules; their answers are kept here as arrays, so that
// new weights cost one dot product a rule.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/intern.hh"
#include "search/model.hh"

namespace miriam::search {

class RuleFeatures {
 public:
  // A batch of answers, in rows. Keys are kNone where a rule has none.
  struct Batch {
    std::span<const RuleId> rules;
    std::span<const std::uint64_t> ends;  // of each rule's features
    std::span<const FeatureId> ids;
    std::span<const double> values;
    std::span<const FeatureId> orientation_keys;   // rules x orientation templates
    std::span<const std::uint32_t> boundary_keys;  // rules x boundary templates x (left, right)
    std::span<const std::uint8_t> counts;          // rules x ratios
    std::span<const std::uint8_t> flags;
    std::span<const std::uint32_t> strides;  // of `ids`; empty if there are no domains
    std::span<const std::uint64_t> domains;  // of rules, as bits; empty if there are none
  };
  struct Row {
    std::span<const FeatureId> ids;
    std::span<const double> values;
    std::span<const FeatureId> orientation_keys;
    std::span<const std::uint32_t> boundary_keys;
    std::span<const std::uint8_t> counts;
    std::uint8_t flags;
    std::span<const std::uint32_t> strides;
    std::uint64_t domains;

    Feature feature(std::size_t i) const { return {ids[i], strides.empty() ? 0 : strides[i]}; }
  };

  // Throws InputError if the arrays do not fit together or a rule is already known.
  void add(const Batch& batch, const Model& model);
  // The rule's row, or kNone.
  std::uint32_t find(RuleId rule) const;
  // The same, looked for first in the row behind another: rules of one source side come together.
  std::uint32_t find_behind(std::uint32_t row, RuleId rule) const {
    const std::size_t guess = std::size_t{row} + 1;
    return guess < rules_.size() && rules_[guess] == rule ? static_cast<std::uint32_t>(guess)
                                                          : find(rule);
  }
  Row operator[](std::uint32_t row) const;
  std::size_t size() const { return rules_.size(); }

 private:
  std::vector<RuleId> rules_;
  HashIndex index_;
  std::vector<std::uint64_t> ends_;
  std::vector<FeatureId> ids_;
  std::vector<double> values_;
  std::vector<FeatureId> orientation_keys_;
  std::vector<std::uint32_t> boundary_keys_;
  std::vector<std::uint8_t> counts_;
  std::vector<std::uint8_t> flags_;
  std::vector<std::uint32_t> strides_;
  std::vector<std::uint64_t> domains_;
};

}  // namespace miriam::search
