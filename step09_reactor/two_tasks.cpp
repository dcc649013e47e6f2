#include <iostream>

#include "coop/timer_reactor.hpp"
#include "coop/wait.hpp"

using namespace coop;

/// Ten iterations. Article: "Cooperative multitasking", task1().
Coroutine<> task1() {
  for (int i = 1; i <= 10; ++i) {
    std::cout << "This is task 1 iteration " << i << ".\n";
    co_await suspend();
  }
}

/// Five iterations. Article: "Cooperative multitasking", task2().
Coroutine<> task2() {
  for (int i = 1; i <= 5; ++i) {
    std::cout << "This is task 2 iteration " << i << ".\n";
    co_await suspend();
  }
}

int main() {
  TimerReactor reactor;
  Scheduler scheduler(reactor);
  scheduler.spawn(task1());
  scheduler.spawn(task2());
  scheduler.run();
}
