#include "search/workspace.hh"

#include <algorithm>

namespace miriam::search {

void Workspace::start(const Task& task, std::uint64_t version) {
  for (std::size_t l = 0; l < lms_.size(); ++l) {
    lms_[l].set_extra(task.extra_lm_ids[l]);
    lms_[l].next_sentence();
  }
  const bool full =
      std::ranges::any_of(lms_, [](const LmCache& lm) { return lm.size() > kMaxStates; });
  if (full)
    for (LmCache& lm : lms_) lm.clear();
  if (ready_ && !full && version_ == version && resume(task)) return;
  reset(task);
  ready_ = true;
  version_ = version;
}

}  // namespace miriam::search
