#pragma once

#include <cstdio>
#include <cstdlib>

/// Says what is wrong, and crashes: that is how libFuzzer is told.
[[noreturn]] inline void wrong(const char* what) {
  std::fprintf(stderr, "WRONG: %s\n", what);
  std::abort();
}
