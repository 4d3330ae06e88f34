// miriam._core: one submodule a room, and the translation of the core's errors.
#include "base/error.hh"
#include "bind/bind.hh"

namespace miriam::bind {
namespace {

// Raises the class of the same name in miriam.errors.
void raise_as(const char* name, const char* message) {
  const nb::object kind = nb::module_::import_("miriam.errors").attr(name);
  PyErr_SetString(kind.ptr(), message);
}

void translate(const std::exception_ptr& pointer, void*) {
  try {
    std::rethrow_exception(pointer);
  } catch (const Interrupted& e) {
    PyErr_SetNone(PyExc_KeyboardInterrupt);
  } catch (const InputError& e) {
    raise_as("InputError", e.what());
  } catch (const ConfigError& e) {
    raise_as("ConfigError", e.what());
  } catch (const ModelError& e) {
    raise_as("ModelError", e.what());
  } catch (const Error& e) {
    raise_as("MiriamError", e.what());
  }
}

}  // namespace
}  // namespace miriam::bind

NB_MODULE(_core, m) {
  using namespace miriam::bind;
  nb::register_exception_translator(translate);
  bind_base(m);
  nb::module_ metrics = m.def_submodule("metrics", "Sentence-level scores of candidates.");
  bind_metrics(metrics);
}
