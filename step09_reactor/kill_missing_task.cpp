#include <exception>
#include <iostream>

#include "coop/timer_reactor.hpp"
#include "coop/wait.hpp"
#include "usage.hpp"

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

int main(int argc, char** argv) {
  if (argc > 1) return usage(argv, "kill_missing_task   (a call to the scheduler throws)");

  TimerReactor reactor;
  Scheduler scheduler(reactor);
  scheduler.run(task());
}
