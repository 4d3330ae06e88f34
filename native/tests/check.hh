// CHECK for the native tests: says what failed and where, and goes on; main returns failures().
#pragma once

#include <cstdio>

namespace miriam::test {

inline int& failures() {
  static int count = 0;
  return count;
}

inline void check(bool ok, const char* what, const char* file, int line) {
  if (ok) return;
  ++failures();
  std::fprintf(stderr, "%s:%d: CHECK(%s) failed\n", file, line, what);
}

}  // namespace miriam::test

#define CHECK(what) miriam::test::check(static_cast<bool>(what), #what, __FILE__, __LINE__)
