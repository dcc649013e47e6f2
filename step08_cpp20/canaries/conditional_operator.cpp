// Shape: a conditional operator with a class temporary, in an expression that awaits.
// Write instead: if and else.
#include "canary.hpp"

Answer<int> use(const Tracked&) {
  return Answer(1);
}

Body body(const Tracked* given) {
  co_await use(given ? *given : Tracked());
}

int main() {
  body(nullptr).run();
  return Tracked::living == 0 ? 0 : 1;
}
