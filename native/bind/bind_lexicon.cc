// Words and their ids.
#include "bind/bind.hh"

namespace miriam::bind {

void bind_lexicon(nb::module_&) {}

}  // namespace miriam::bind
