#include <iostream>

#include "scheduler.hpp"

/// Ten iterations. Article: "Cooperative multitasking", task1().
Coroutine<> task1() {
  for (int i = 1; i <= 10; ++i) {
    std::cout << "This is task 1 iteration " << i << ".\n";
    co_yield nothing;
  }
}

/// Five iterations. Article: "Cooperative multitasking", task2().
Coroutine<> task2() {
  for (int i = 1; i <= 5; ++i) {
    std::cout << "This is task 2 iteration " << i << ".\n";
    co_yield nothing;
  }
}

int main() {
  Scheduler scheduler;
  scheduler.new_task(task1());
  scheduler.new_task(task2());
  scheduler.run();
}
