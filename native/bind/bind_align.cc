// Word alignments.
#include "bind/bind.hh"

namespace miriam::bind {

void bind_align(nb::module_&) {}

}  // namespace miriam::bind
