#include <iostream>

#include "coop/timer_reactor.hpp"
#include "coop/wait.hpp"

using namespace coop;

/// Says in each turn which task it is. Article: "Communicating with the scheduler", task(). Who
/// runs is known without asking the scheduler, so that takes no turn any more.
Coroutine<> task(int max) {
  const TaskId id = current_task().id();
  for (int i = 1; i <= max; ++i) {
    std::cout << "This is task " << id << " iteration " << i << ".\n";
    co_await suspend();
  }
}

int main() {
  TimerReactor reactor;
  Scheduler scheduler(reactor);
  scheduler.spawn(task(10));
  scheduler.spawn(task(5));
  scheduler.run();
}
