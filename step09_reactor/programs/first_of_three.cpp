#include <csignal>
#include <cstddef>
#include <iostream>
#include <string>

#include "../coop/run.hpp"
#include "../coop/uv/signal.hpp"

using namespace coop;
using namespace std::chrono_literals;

/// Prepares a part of the breakfast, and takes it off the stove if it is cancelled.
Coroutine<> prepare(std::string what, Clock::duration time) {
  try {
    co_await sleep(time);
  } catch (const Cancelled&) {
    std::cout << "The " << what << " is taken off the stove.\n";
    throw;
  }
  std::cout << "The " << what << " is ready.\n";
}

/// Waits for Ctrl-C, the coffee or the toast.
Coroutine<> main_task() {
  Signal interrupt(SIGINT);
  const std::size_t first = co_await any_of(interrupt, prepare("coffee", 1s), prepare("toast", 2s));
  std::cout << "First: " << first << ".\n";
}

int main() {
  coop::run(main_task());
}
