#include <iostream>

#include "coop/timer_reactor.hpp"
#include "coop/wait.hpp"

using namespace coop;

/// From n down to 1, a number each turn. Recipe 12.12, countdown().
Coroutine<> countdown(int n) {
  while (n > 0) {
    std::cout << "T-minus " << n << '\n';
    co_await suspend();
    --n;
  }
  std::cout << "Blastoff!\n";
}

/// From 0 up to n - 1, a number each turn. Recipe 12.12, countup().
Coroutine<> countup(int n) {
  int x = 0;
  while (x < n) {
    std::cout << "Counting up " << x << '\n';
    co_await suspend();
    ++x;
  }
}

int main() {
  TimerReactor reactor;
  Scheduler scheduler(reactor);
  scheduler.spawn(countdown(10));
  scheduler.spawn(countdown(5));
  scheduler.spawn(countup(15));
  scheduler.run();
}
