#include <csignal>
#include <cstddef>
#include <iostream>

#include "../coop/run.hpp"
#include "../coop/uv/signal.hpp"

using namespace coop;
using namespace std::chrono_literals;

/// Sends itself the signal that Ctrl-C sends, and works for an hour.
Coroutine<> work() {
  std::cout << "Working.\n";
  std::raise(SIGINT);
  co_await sleep(1h);
}

/// While a Signal exists, its signal doesn't end the program.
Coroutine<> main_task() {
  Signal interrupt(SIGINT);
  const std::size_t first = co_await any_of(work(), interrupt);
  if (first == 1) std::cout << "Interrupted.\n";

  std::raise(SIGINT);
  co_await sleep(1ms);  // no task waits for the signal now, but the Signal stores it
  co_await interrupt;
  std::cout << "Interrupted again.\n";
}

int main() {
  coop::run(main_task());
}
