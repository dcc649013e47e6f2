#include <iostream>
#include <string>

#include "scheduler.hpp"

/// Prints a text several times, once per turn.
Coroutine<> echo_times(std::string text, int times) {
  for (int i = 1; i <= times; ++i) {
    std::cout << text << " iteration " << i << '\n';
    co_yield nothing;
  }
}

/// Prints some lines with `foo`, then some with `bar`.
Coroutine<> task(int foos, int bars) {
  co_await echo_times("foo", foos);
  std::cout << "---\n";
  co_await echo_times("bar", bars);
}

int main() {
  Scheduler scheduler;
  scheduler.new_task(task(10, 5));
  scheduler.run();
}
