// The parts of base/ that Python holds.
#include "base/progress.hh"
#include "bind/bind.hh"

namespace miriam::bind {

void bind_base(nb::module_& m) {
  nb::class_<Progress>(m, "Progress", "How far a native call has come, and the way to stop it.")
      .def(nb::init<>())
      .def("stop", &Progress::stop, "Make the call end with KeyboardInterrupt.")
      .def_prop_ro("done", &Progress::done)
      .def_prop_ro("total", &Progress::total);
}

}  // namespace miriam::bind
