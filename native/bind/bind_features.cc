// Features and their ids.
#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

#include "bind/bind.hh"
#include "features/feature_table.hh"

namespace miriam::bind {
namespace {

using features::FeatureId;
using features::FeatureTable;
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

}  // namespace

void bind_features(nb::module_& m) {
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
      .def(
          "find",
          [](const FeatureTable& table, std::uint32_t family, const Keys& keys) {
            return ids_of(family, keys, [&](const auto& items) { return table.find(items); });
          },
          nb::arg("family"), nb::arg("keys").noconvert(), "The same, and -1 for unknown keys.")
      .def(
          "key",
          [](const FeatureTable& table, FeatureId id) {
            const FeatureTable::Key key = table.key(id);
            return std::pair(std::vector<std::uint32_t>(key.items.begin(), key.items.end()),
                             key.member);
          },
          nb::arg("id"), "The family and key of an id, and which of the key's members it is.");
}

}  // namespace miriam::bind
