// Features and their ids.
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <tuple>

#include "bind/bind.hh"
#include "bind/mapped.hh"
#include "features/cliques.hh"
#include "features/collect.hh"
#include "features/edits.hh"
#include "features/feature_table.hh"
#include "features/names.hh"

namespace miriam::bind {
namespace {

using namespace features;
using Ends = Array<std::uint64_t>;
using Keys = nb::ndarray<const std::uint32_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

// The ids of keys of one family, in rows; `at` takes the family and a key.
template <class At>
Numpy<FeatureId> ids_of(std::uint32_t family, const Keys& keys, const At& at) {
  std::vector<FeatureId> ids;
  std::vector<std::uint32_t> items(1 + keys.shape(1), family);
  for (std::size_t row = 0; row < keys.shape(0); ++row) {
    const std::uint32_t* key = keys.data() + row * keys.shape(1);
    std::copy(key, key + keys.shape(1), items.begin() + 1);
    ids.push_back(at(items));
  }
  return to_numpy(std::move(ids));
}

// The same for keys of different lengths.
Numpy<FeatureId> intern_rows(FeatureTable& table, std::uint32_t family,
                             const Array<std::uint32_t>& items, const Ends& ends,
                             std::uint32_t members) {
  std::vector<FeatureId> ids;
  ids.reserve(ends.size());
  std::vector<std::uint32_t> key;
  std::uint64_t begin = 0;
  for (const std::uint64_t end : view(ends)) {
    if (end < begin || end > items.size()) throw ConfigError("keys that do not fit together");
    key.assign(1, family);
    key.insert(key.end(), items.data() + begin, items.data() + end);
    ids.push_back(table.intern(key, members));
    begin = end;
  }
  return to_numpy(std::move(ids));
}

void bind_names(nb::module_& m) {
  m.attr("BEGIN") = kBegin;
  m.attr("END") = kEnd;
  m.def(
      "escape",
      [](std::string_view text) {
        std::string out;
        features::escape(text, out);
        return out;
      },
      nb::arg("text"), "A text as it stands in a feature's name.");
  nb::class_<Words>(m, "Words", "Words by number: a vocabulary's, and behind them new ones.")
      .def(
          "__init__",
          [](Words* words, const MappedVocabulary& known) { new (words) Words(known.view()); },
          nb::arg("known"), nb::keep_alive<1, 2>())
      .def("__len__", &Words::size)
      .def("word", &Words::word, nb::arg("id"), "The word with this number.")
      .def("add", &Words::add, nb::arg("word"), "The word's number, the next one if it is new.");
  nb::class_<Names>(m, "Names", "How the features of families are called.")
      .def(
          "__init__",
          [](Names* names, FeatureTable& table, Words& source, Words& target,
             const std::vector<std::string>& domains) {
            new (names) Names(table, source, target, domains);
          },
          nb::arg("table"), nb::arg("source"), nb::arg("target"), nb::arg("domains"),
          nb::keep_alive<1, 2>(), nb::keep_alive<1, 3>(), nb::keep_alive<1, 4>())
      .def(
          "add",
          [](Names& names, std::uint32_t family, std::string prefix, std::string layout,
             std::vector<std::string> members, bool copied) {
            names.add(family, {std::move(prefix), std::move(layout), std::move(members), copied});
          },
          nb::arg("family"), nb::arg("prefix"), nb::arg("layout"), nb::arg("members"),
          nb::arg("copied"), "A family; see native/features/names.hh for layouts.")
      .def(
          "name",
          [](const Names& names, FeatureId id) {
            std::string out;
            names.name(id, out);
            return out;
          },
          nb::arg("id"), "The name of a feature.")
      .def("id", &Names::id, nb::arg("name"),
           "The feature of a name, a new one if it is new; -1: no family has such a name.")
      .def(
          "read_weights",
          [](Names& names, nb::bytes text) {
            NamedWeights read = features::read_weights({text.c_str(), text.size()}, names);
            return std::tuple(to_numpy(std::move(read.ids)), to_numpy(std::move(read.values)),
                              std::move(read.others));
          },
          nb::arg("text"),
          "The features and weights of lines of both, and the (number, text) of other lines.");
}

void bind_edits(nb::module_& m) {
  using Points = Array<std::uint32_t>;
  nb::class_<EditFeatures>(m, "EditFeatures", "Features of the edits between words.")
      .def(nb::init<>())
      .def("__len__", &EditFeatures::size)
      .def(
          "add",
          [](EditFeatures& edits, const Points& name) {
            return edits.add(std::u32string(name.data(), name.data() + name.size()));
          },
          nb::arg("name").noconvert(), "The number of a feature, its name in code points.")
      .def(
          "names",
          [](const EditFeatures& edits) {
            std::vector<std::uint32_t> items;
            std::vector<std::uint64_t> ends;
            for (const std::u32string& name : edits.names()) {
              items.insert(items.end(), name.begin(), name.end());
              ends.push_back(items.size());
            }
            return std::pair(to_numpy(std::move(items)), to_numpy(std::move(ends)));
          },
          "The names, in code points, and where each ends.")
      .def(
          "rows",
          [](EditFeatures& edits, const Points& sources, const Ends& source_ends,
             const Ends& candidate_ends, const Points& candidates, const Ends& word_ends,
             bool grow) {
            EditRows rows = edits.rows({view(sources), view(source_ends)}, view(candidate_ends),
                                       {view(candidates), view(word_ends)}, grow);
            return std::tuple(to_numpy(std::move(rows.distances)), to_numpy(std::move(rows.ends)),
                              to_numpy(std::move(rows.ids)));
          },
          nb::arg("sources").noconvert(), nb::arg("source_ends").noconvert(),
          nb::arg("candidate_ends").noconvert(), nb::arg("candidates").noconvert(),
          nb::arg("word_ends").noconvert(), nb::arg("grow"),
          "The distance of each candidate from its source, and its features: ends and numbers.");
}

}  // namespace

void bind_features(nb::module_& m) {
  m.def(
      "find_cliques",
      [](const Ends& source_ends, const Ends& target_ends, const Ends& link_ends,
         const Array<std::uint32_t>& links) {
        Cliques found = features::find_cliques(view(source_ends), view(target_ends),
                                               view(link_ends), view(links));
        return std::tuple(to_numpy(std::move(found.of_source)),
                          to_numpy(std::move(found.of_target)), to_numpy(std::move(found.rules)));
      },
      nb::arg("source_ends").noconvert(), nb::arg("target_ends").noconvert(),
      nb::arg("link_ends").noconvert(), nb::arg("links").noconvert(),
      "The clique of each source word and of each target word (-1: none), and each one's rule.");
  m.def(
      "collect",
      [](std::size_t count, const Array<std::uint32_t>& rows, const Array<FeatureId>& ids,
         const Array<double>& values) {
        Rows found = features::collect(count, view(rows), view(ids), view(values));
        return std::tuple(to_numpy(std::move(found.ends)), to_numpy(std::move(found.ids)),
                          to_numpy(std::move(found.values)));
      },
      nb::arg("count"), nb::arg("rows").noconvert(), nb::arg("ids").noconvert(),
      nb::arg("values").noconvert(),
      "Cells brought into rows: where each ends, ascending ids, each once, and values.");
  nb::class_<FeatureTable>(m, "FeatureTable", "Dense ids of features: of a family and a key.")
      .def(nb::init<>())
      .def("__len__", &FeatureTable::size)
      .def(
          "intern",
          [](FeatureTable& table, std::uint32_t family, const Keys& keys, std::uint32_t members) {
            return ids_of(family, keys,
                          [&](const auto& items) { return table.intern(items, members); });
          },
          nb::arg("family"), nb::arg("keys").noconvert(), nb::arg("members") = 1,
          "The ids of keys, one a row; new ones for new keys, `members` in a row for each.")
      .def("intern_rows", &intern_rows, nb::arg("family"), nb::arg("items").noconvert(),
           nb::arg("ends").noconvert(), nb::arg("members") = 1,
           "The same for keys of different lengths: their items, and where each ends.")
      .def(
          "find",
          [](const FeatureTable& table, std::uint32_t family, const Keys& keys) {
            return ids_of(family, keys, [&](const auto& items) { return table.find(items); });
          },
          nb::arg("family"), nb::arg("keys").noconvert(), "The same, and -1 for unknown keys.")
      .def(
          "key",
          [](const FeatureTable& table, FeatureId id) {
            FeatureTable::Key key = table.key(id);
            return std::pair(std::move(key.items), key.member);
          },
          nb::arg("id"), "The family and key of an id, and which of the key's members it is.")
      .def(
          "strides",
          [](const FeatureTable& table, const Array<FeatureId>& ids) {
            std::vector<std::uint32_t> strides(ids.size());
            std::ranges::transform(view(ids), strides.begin(),
                                   [&](FeatureId id) { return table.stride(id); });
            return to_numpy(std::move(strides));
          },
          nb::arg("ids").noconvert(), "How far apart the copies of ids are; 0: there are none.");
  bind_names(m);
  bind_edits(m);
}

}  // namespace miriam::bind
