#include "search/chart_options.hh"

#include <algorithm>

namespace miriam::search {

void ChartOptions::resume(const Task& task) {
  task_ = task;
  std::vector<std::uint32_t> key = task.sentence->totals;
  key.insert(key.end(), task.sentence->domains.begin(), task.sentence->domains.end());
  sentence_ = kinds_.intern(key);
}

OptionRange ChartOptions::at(std::uint32_t node) {
  if (!trie_.has_rules(node)) return {};
  return ranges_.get(node, sentence_, [&] {
    found_.clear();
    const auto rules = trie_.rules(node);
    for (std::size_t t = 0; t < rules.size(); ++t) {
      const TableUse& use = task_.model->tables[t];
      const auto some = considered(rules[t], task_.settings.considered);
      std::uint32_t known = kNone;
      for (std::uint64_t row = some.begin; row < some.end; ++row) {
        const RuleId rule = use.first_rule + static_cast<RuleId>(row);
        known = task_.features->find_behind(known, rule);
        found_.push_back(score({rule, known, &use}, use.table->target(row)));
      }
    }
    if (found_.size() > task_.settings.rule_limit) {
      const auto limit = found_.begin() + task_.settings.rule_limit;
      std::nth_element(found_.begin(), limit, found_.end());
      found_.erase(limit, found_.end());
    }
    return append_best();
  });
}

OptionRange ChartOptions::extra(std::span<const RuleId> rules) {
  found_.clear();
  for (const RuleId rule : rules) {
    const ExtraRule& made = task_.sentence->extra[rule - task_.sentence->first_extra];
    const RuleUse use{rule, task_.extra_features->find(rule), nullptr, made.unknown};
    found_.push_back(score(use, made.target));
  }
  return append_best();
}

ChartOptions::Scored ChartOptions::score(const RuleUse& use, std::span<const WordId> target) {
  const Pieces pieces = pieces_of(*task_.model, target);
  double total = local_score(task_, use, pieces.word_count());
  for (std::size_t l = 0; l < lms_.size(); ++l)
    for (std::size_t p = 0; p <= pieces.gap_count; ++p)
      total += task_.weights[task_.model->lms[l].feature] * lms_[l].estimate(pieces.words[p]);
  return {total, use.rule};
}

OptionRange ChartOptions::append_best() {
  std::sort(found_.begin(), found_.end());
  const auto first = static_cast<std::uint32_t>(options_.size());
  for (const Scored& scored : found_) append(scored);
  return {first, static_cast<std::uint32_t>(found_.size())};
}

void ChartOptions::append(const Scored& scored) {
  const Pieces pieces =
      pieces_of(*task_.model, target_of(*task_.model, *task_.sentence, scored.rule));
  ChartOption option;
  option.score = scored.score;
  option.rule = scored.rule;
  option.pieces = static_cast<std::uint32_t>(pieces_.size());
  option.gaps = pieces.gaps;
  option.gap_count = pieces.gap_count;
  std::size_t parts = pieces.gap_count;
  for (std::size_t p = 0; p <= pieces.gap_count; ++p) {
    parts += pieces.words[p].empty() ? 0 : 1;
    for (LmCache& lm : lms_)
      pieces_.push_back(pieces.words[p].empty() ? lm.empty() : lm.prepare(pieces.words[p]));
  }
  option.joints = static_cast<std::uint8_t>(parts == 0 ? 0 : parts - 1);
  options_.push_back(option);
}

}  // namespace miriam::search
