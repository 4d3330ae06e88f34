// Choosing sentences.
#include <nanobind/stl/tuple.h>

#include <tuple>

#include "bind/bind.hh"
#include "corpus/decay.hh"

namespace miriam::bind {

using Ids = Array<std::uint32_t>;
using Ends = Array<std::uint64_t>;

void bind_corpus(nb::module_& m) {
  m.attr("OTHER_WORD") = corpus::kOtherWord;
  m.def(
      "choose_by_decay",
      [](const Ids& pool, const Ends& pool_ends, const Ids& text, const Ends& text_ends,
         std::uint32_t longest, std::size_t count, Progress& progress) {
        corpus::Chosen chosen;
        {
          nb::gil_scoped_release release;
          chosen = corpus::choose_by_decay({view(pool), view(pool_ends)},
                                           {view(text), view(text_ends)}, longest, count, progress);
        }
        return std::tuple(to_numpy(std::move(chosen.lines)), to_numpy(std::move(chosen.scores)));
      },
      nb::arg("pool").noconvert(), nb::arg("pool_ends").noconvert(), nb::arg("text").noconvert(),
      nb::arg("text_ends").noconvert(), nb::arg("longest"), nb::arg("count"), nb::arg("progress"),
      "Lines of the pool by feature decay, in the order of the choice, and their scores then.");
}

}  // namespace miriam::bind
