#include "search/lattice.hh"
#include "search/search.hh"
#include "search/workspace.hh"

namespace miriam::search {
namespace {

class PhraseWorkspace final : public Workspace {
 public:
  using Workspace::Workspace;

  Candidates decode(const Task& task, const Sentence& sentence) override {
    OptionCache& options = *options_;
    const Lattice lattice(task, sentence, options);
    NonLocal features(task, sentence, lms_, options);
    Search search(task, sentence, lattice, options, features, graph_);
    KBest<Hypothesis>::Words words;
    if (task.settings.distinct)
      words = [&](const Hypothesis& edge, std::span<const Yield, 1> tails) {
        Yield yield = tails[0];
        if (edge.option == kNone) return yield;
        for (const WordId word : target_of(*task.model, sentence, options[edge.option].rule))
          yield += word;
        return yield;
      };
    KBest<Hypothesis> kbest(graph_, search.run(), words);
    Candidates out;
    collect(kbest, task.settings.nbest, out, [&](std::span<const Hypothesis* const> last_first) {
      for (std::size_t i = last_first.size(); i-- > 0;) {
        out.rules.push_back(options[last_first[i]->option].rule);
        out.begins.push_back(last_first[i]->begin);
        out.ends.push_back(last_first[i]->end);
      }
    });
    options.forget_extra();
    return out;
  }

 protected:
  bool resume(const Task& task) override {
    if (options_->size() > kMaxOptions) return false;
    options_->resume(task);
    return true;
  }
  void reset(const Task& task) override { options_ = std::make_unique<OptionCache>(task, lms_); }

 private:
  static constexpr std::size_t kMaxOptions = std::size_t{1} << 18;

  std::unique_ptr<OptionCache> options_;
  PhraseGraph graph_;
};

}  // namespace

std::unique_ptr<Workspace> phrase_workspace(const Task& task) {
  return std::make_unique<PhraseWorkspace>(task);
}

}  // namespace miriam::search
