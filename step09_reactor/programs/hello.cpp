#include <iostream>

#include "../coop/run.hpp"

using namespace coop;
using namespace std::chrono_literals;

/// Prints two words, half a second apart.
Coroutine<> main_task() {
  std::cout << "Hello, " << std::flush;
  co_await sleep(500ms);
  std::cout << "world!\n";
}

int main() {
  coop::run(main_task());
}
