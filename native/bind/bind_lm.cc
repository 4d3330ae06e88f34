// Language models.
#include "bind/bind.hh"

namespace miriam::bind {

void bind_lm(nb::module_&) {}

}  // namespace miriam::bind
