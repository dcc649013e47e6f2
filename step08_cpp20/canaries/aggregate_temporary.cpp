// Shape: a temporary of an aggregate whose members have destructors, in an expression that awaits.
// Write instead: the same, but give the type a constructor.
#include "canary.hpp"

struct Options {
  Tracked name{};
  int port = 80;
};

Answer<int> listen(const Options& options) {
  return Answer(options.port);
}

Body body() {
  co_await listen(Options{});
}

int main() {
  body().run();
  return Tracked::living == 0 ? 0 : 1;
}
