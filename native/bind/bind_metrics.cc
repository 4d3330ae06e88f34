// Sentence-level scores of candidates.
#include "bind/bind.hh"

namespace miriam::bind {

void bind_metrics(nb::module_&) {}

}  // namespace miriam::bind
