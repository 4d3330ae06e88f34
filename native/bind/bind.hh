// What the binding files share: array types, views, and the function each room defines.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <span>
#include <utility>
#include <vector>

namespace miriam::bind {

namespace nb = nanobind;

// A one-dimensional array that is taken without a copy; declare its argument `.noconvert()`.
template <class T>
using Array = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

template <class T>
std::span<const T> view(const Array<T>& array) {
  return {array.data(), array.size()};
}

template <class T>
using Numpy = nb::ndarray<nb::numpy, T, nb::ndim<1>>;

// A NumPy array that owns what a vector held.
template <class T>
Numpy<T> to_numpy(std::vector<T>&& values) {
  auto* kept = new std::vector<T>(std::move(values));
  nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
  return {kept->data(), {kept->size()}, owner};
}

void bind_base(nb::module_& m);
void bind_corpus(nb::module_& m);
void bind_lexicon(nb::module_& m);
void bind_align(nb::module_& m);
void bind_rules(nb::module_& m);
void bind_lm(nb::module_& m);
void bind_metrics(nb::module_& m);
void bind_tune(nb::module_& m);
void bind_features(nb::module_& m);
void bind_search(nb::module_& m);

}  // namespace miriam::bind
