#include "search/task.hh"

namespace miriam::search {

double local_score(const Task& task, RuleId rule, std::size_t words, bool unknown,
                   const TableUse* table) {
  const Model& model = *task.model;
  const Weights& weights = task.weights;
  double total =
      weights[model.phrase_penalty] - weights[model.word_penalty] * static_cast<double>(words);
  if (unknown) total -= weights[model.unknown_word];
  if (table != nullptr)
    for (const ScoreColumn& score : table->scores)
      total += weights[score.feature] * table->score(rule, score.column);
  const RuleFeatures& features = table != nullptr ? *task.features : *task.extra_features;
  if (const std::uint32_t row = features.find(rule); row != kNone) {
    const RuleFeatures::Row known = features[row];
    for (std::size_t i = 0; i < known.ids.size(); ++i)
      total += task.weight(known.feature(i)) * known.values[i];
    if ((known.domains & task.sentence->domain_bits) != 0) total += task.weight(model.in_domain);
    const std::vector<std::uint32_t>& totals = task.sentence->totals;
    for (std::size_t r = 0; r < totals.size(); ++r)
      if (totals[r] > 0) total += task.weight(model.ratios[r]) * known.counts[r] / totals[r];
  }
  return total;
}

}  // namespace miriam::search
