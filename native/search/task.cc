#include "search/task.hh"

namespace miriam::search {

double local_score(const Task& task, const RuleUse& use, std::size_t words) {
  const Model& model = *task.model;
  const Weights& weights = task.weights;
  double total =
      weights[model.phrase_penalty] - weights[model.word_penalty] * static_cast<double>(words);
  if (use.unknown) total -= weights[model.unknown_word];
  if (use.table != nullptr)
    for (const ScoreColumn& score : use.table->scores)
      total += weights[score.feature] * use.table->score(use.rule, score.column);
  if (use.row != kNone) {
    const RuleFeatures::Row known = task.rule_features(use.rule)[use.row];
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
