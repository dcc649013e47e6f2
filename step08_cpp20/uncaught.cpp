#include <exception>
#include <iostream>

#include "process.hpp"

/// Tries to kill a task that does not exist. Article: "Error handling", task(), without the `try`.
Coroutine<> killer() {
  co_await kill_task(500);
  std::cout << "This line is never printed.\n";
}

/// Has nothing to do with the killer. Prints three lines, one per turn.
Coroutine<> bystander() {
  for (int i = 1; i <= 3; ++i) {
    std::cout << "Bystander: line " << i << " of 3.\n";
    co_yield nothing;
  }
}

int main() {
  Scheduler scheduler;
  scheduler.new_task(bystander());
  scheduler.new_task(killer());
  try {
    scheduler.run();
    std::cout << "run() has returned.\n";
  } catch (const std::exception& error) {
    std::cout << "run() has thrown: " << error.what() << '\n';
  }
}
