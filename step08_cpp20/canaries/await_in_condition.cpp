// Shape: an await in a condition, in a function without a local variable around it.
// Write instead: const bool yes = co_await ask(); if (yes) ...
#include "canary.hpp"

int taken = 0;

Body body() {
  if (co_await Answer(true)) ++taken;
}

int main() {
  body().run();
  return taken == 1 ? 0 : 1;
}
