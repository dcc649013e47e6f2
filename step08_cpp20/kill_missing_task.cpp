#include <exception>
#include <iostream>

#include "process.hpp"

/// Tries to kill a task that never was. Article: "Error handling", task().
Coroutine<> task() {
  try {
    co_await kill_task(500);
  } catch (const std::exception& e) {
    std::cout << "Tried to kill task 500 but failed: " << e.what() << '\n';
  }
}

int main() {
  Scheduler scheduler;
  scheduler.new_task(task());
  scheduler.run();
}
