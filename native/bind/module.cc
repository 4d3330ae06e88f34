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
  nb::set_leak_warnings(false);  // what a script holds until the interpreter ends is no leak
  bind_base(m);
  const auto room = [&m](const char* name, const char* what, void (*bind)(nanobind::module_&)) {
    nanobind::module_ submodule = m.def_submodule(name, what);
    bind(submodule);
  };
  room("corpus", "Choosing sentences.", bind_corpus);
  room("lexicon", "Words and their ids.", bind_lexicon);
  room("align", "Word alignments.", bind_align);
  room("rules", "Scored translation rules.", bind_rules);
  room("lm", "Language models.", bind_lm);
  room("metrics", "Sentence-level scores of candidates.", bind_metrics);
  room("tune", "Learning on n-best lists.", bind_tune);
  room("features", "Features and their ids.", bind_features);
  room("search", "Decoders.", bind_search);
}
