#include "search/chart.hh"
#include "search/workspace.hh"

namespace miriam::search {
namespace {

class ChartWorkspace final : public Workspace {
 public:
  ChartWorkspace(const Task& task, const SourcePrefixes& prefixes)
      : Workspace(task), trie_(*task.model, prefixes) {}

  Candidates decode(const Task& task, const Sentence& sentence) override {
    ChartOptions& options = *options_;
    Chart chart(task, sentence, trie_, options, lms_, graph_);
    KBest<ChartItem>::Words words;
    if (task.settings.distinct)
      words = [&](const ChartItem& edge, std::span<const Yield, 2> tails) {
        Yield yield;
        if (edge.option == kNone) {
          for (const Yield& tail : tails) yield += tail;
          return yield;
        }
        for (const WordId word : target_of(*task.model, sentence, options[edge.option].rule)) {
          const std::size_t gap = task.model->gap_of(word);
          if (gap == rules::kMaxGaps)
            yield += word;
          else
            yield += tails[gap];
        }
        return yield;
      };
    KBest<ChartItem> kbest(graph_, chart.run(), words);
    Candidates out;
    collect(kbest, task.settings.nbest, out, [&](std::span<const ChartItem* const> tree) {
      for (const ChartItem* use : tree) {
        out.rules.push_back(options[use->option].rule);
        out.begins.push_back(use->begin);
        out.ends.push_back(use->end);
      }
    });
    return out;
  }

 protected:
  bool resume(const Task& task) override {
    if (options_->size() > kMaxOptions || trie_.size() > kMaxNodes) return false;
    options_->resume(task);
    return true;
  }
  void reset(const Task& task) override {
    if (trie_.size() > kMaxNodes) trie_.clear();
    options_.emplace(task, trie_, lms_);
    options_->resume(task);
  }

 private:
  static constexpr std::size_t kMaxOptions = std::size_t{1} << 19;
  static constexpr std::size_t kMaxNodes = std::size_t{1} << 20;

  RuleTrie trie_;
  std::optional<ChartOptions> options_;
  ChartGraph graph_;
};

}  // namespace

std::unique_ptr<Workspace> chart_workspace(const Task& task, const SourcePrefixes& prefixes) {
  return std::make_unique<ChartWorkspace>(task, prefixes);
}

}  // namespace miriam::search
