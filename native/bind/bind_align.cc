// Word alignments.
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string_view.h>

#include <bit>

#include "align/links.hh"
#include "bind/bind.hh"

namespace miriam::bind {
namespace {

using namespace align;
using Ends = Array<std::uint64_t>;
using Points = nb::ndarray<const std::uint32_t, nb::shape<-1, 2>, nb::c_contig, nb::device::cpu>;
using NumpyPoints = nb::ndarray<nb::numpy, std::uint32_t, nb::shape<-1, 2>>;

static_assert(sizeof(Link) == 2 * sizeof(std::uint32_t));

std::pair<NumpyPoints, Numpy<std::uint64_t>> to_python(Links&& links) {
  auto* kept = new std::vector<Link>(std::move(links.points));
  nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::vector<Link>*>(p); });
  return {NumpyPoints(kept->data(), {kept->size(), 2}, owner), to_numpy(std::move(links.ends))};
}

LinksView links_view(const Points& points, const Ends& ends) {
  return {{reinterpret_cast<const Link*>(points.data()), points.shape(0)}, view(ends)};
}

void bind_links(nb::module_& m) {
  m.def(
      "parse_links",
      [](nb::bytes text, const Ends& source_ends, const Ends& target_ends, std::size_t first,
         std::string_view name) {
        Links links = parse_links({text.c_str(), text.size()},
                                  {view(source_ends), view(target_ends)}, first, name);
        return to_python(std::move(links));
      },
      nb::arg("text"), nb::arg("source_ends").noconvert(), nb::arg("target_ends").noconvert(),
      nb::arg("first"), nb::arg("name"),
      "The links that lines of Pharaoh format give to the sentence pairs from `first` on.");
  m.def(
      "format_links",
      [](const Points& points, const Ends& ends) {
        const std::string text = format_links(links_view(points, ends));
        return nb::bytes(text.data(), text.size());
      },
      nb::arg("points").noconvert(), nb::arg("ends").noconvert(),
      "Lines of Pharaoh format, one a sentence pair.");
}

}  // namespace

void bind_align(nb::module_& m) { bind_links(m); }

}  // namespace miriam::bind
