#pragma once

#include <cstdio>
#include <cstdlib>

/// Prints a message and aborts, so that libFuzzer reports the input.
[[noreturn]] inline void wrong(const char* what) {
  std::fprintf(stderr, "WRONG: %s\n", what);
  std::abort();
}
