#include <exception>
#include <iostream>

#include "../coop/run.hpp"

using namespace coop;

/// Tries to cancel a task that doesn't exist. Article: "Error handling", task().
Coroutine<> main_task() {
  try {
    Scheduler::current().task(500).cancel();
  } catch (const std::exception& e) {
    std::cout << "Tried to kill task 500 but failed: " << e.what() << '\n';
  }
  co_return;
}

int main() {
  coop::run(main_task());
}
