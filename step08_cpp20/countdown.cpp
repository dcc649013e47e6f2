#include <iostream>

#include "scheduler.hpp"

/// From n down to 1, a number each turn. Recipe 12.12, countdown().
Coroutine<> countdown(int n) {
  while (n > 0) {
    std::cout << "T-minus " << n << '\n';
    co_yield nothing;
    --n;
  }
  std::cout << "Blastoff!\n";
}

/// From 0 up to n - 1, a number each turn. Recipe 12.12, countup().
Coroutine<> countup(int n) {
  int x = 0;
  while (x < n) {
    std::cout << "Counting up " << x << '\n';
    co_yield nothing;
    ++x;
  }
}

int main() {
  Scheduler scheduler;
  scheduler.new_task(countdown(10));
  scheduler.new_task(countdown(5));
  scheduler.new_task(countup(15));
  scheduler.run();
}
