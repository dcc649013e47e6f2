// Shape: an array of objects with awaits in its initializer.
// Write instead: a local variable for each await, before the array.
#include "canary.hpp"

Body body() {
  const Tracked both[] = {co_await Answer(Tracked()), co_await Answer(Tracked())};
  static_cast<void>(both);
}

int main() {
  body().run();
  return Tracked::living == 0 ? 0 : 1;
}
