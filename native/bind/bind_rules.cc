// Scored translation rules.
#include "bind/bind.hh"

namespace miriam::bind {

void bind_rules(nb::module_&) {}

}  // namespace miriam::bind
