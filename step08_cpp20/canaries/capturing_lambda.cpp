// Shape: a temporary lambda that captures what has a destructor, in an expression that awaits.
// Write instead: const auto request = [tracked] {...}; co_await ask(request);
#include "canary.hpp"

template <typename Function>
Answer<int> ask(Function request) {
  return Answer(request());
}

Body body(Tracked tracked) {
  co_await ask([tracked] { return 1; });
}

int main() {
  body(Tracked()).run();
  return Tracked::living == 0 ? 0 : 1;
}
