#include <iostream>

#include "../coop/run.hpp"

using namespace coop;

/// Prints ten lines, one in each turn. Article: "Cooperative multitasking", task1().
Coroutine<> task1() {
  for (int i = 1; i <= 10; ++i) {
    std::cout << "This is task 1 iteration " << i << ".\n";
    co_await yield();
  }
}

/// Prints five lines, one in each turn. Article: "Cooperative multitasking", task2().
Coroutine<> task2() {
  for (int i = 1; i <= 5; ++i) {
    std::cout << "This is task 2 iteration " << i << ".\n";
    co_await yield();
  }
}

Coroutine<> main_task() {
  spawn(task1());
  spawn(task2());
  co_return;
}

int main() {
  coop::run(main_task());
}
