#include <exception>
#include <iostream>

#include "coop/timer_reactor.hpp"
#include "coop/wait.hpp"

using namespace coop;

/// Tries to cancel a task that never was. Article: "Error handling", task().
Coroutine<> task() {
  try {
    Scheduler::current().task(500).cancel();
  } catch (const std::exception& e) {
    std::cout << "Tried to kill task 500 but failed: " << e.what() << '\n';
  }
  co_return;
}

int main() {
  TimerReactor reactor;
  Scheduler scheduler(reactor);
  scheduler.run(task());
}
