#include <iostream>

#include "../coop/run.hpp"

using namespace coop;

/// Counts from n down to 1, one number in each turn. Recipe 12.12, countdown().
Coroutine<> countdown(int n) {
  while (n > 0) {
    std::cout << "T-minus " << n << '\n';
    co_await yield();
    --n;
  }
  std::cout << "Blastoff!\n";
}

/// Counts from 0 up to n - 1, one number in each turn. Recipe 12.12, countup().
Coroutine<> countup(int n) {
  int x = 0;
  while (x < n) {
    std::cout << "Counting up " << x << '\n';
    co_await yield();
    ++x;
  }
}

Coroutine<> main_task() {
  spawn(countdown(10));
  spawn(countdown(5));
  spawn(countup(15));
  co_return;
}

int main() {
  coop::run(main_task());
}
