#include <cstdio>
#include <cstdlib>

#include "peer.hpp"

void wrong(const char* what) {
  std::fprintf(stderr, "WRONG: %s\n", what);
  std::abort();
}
