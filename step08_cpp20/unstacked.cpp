#include <iostream>
#include <string>
#include <tuple>

#include "scheduler.hpp"

/// Prints a text so many times, once a turn. Article: "Stacked coroutines", echoTimes().
Coroutine<> echo_times(std::string text, int times) {
  for (int i = 1; i <= times; ++i) {
    std::cout << text << " iteration " << i << '\n';
    co_yield nothing;
  }
}

/// Makes two coroutines and does not await them. Article: "Stacked coroutines", the first task().
Coroutine<> task() {
  std::ignore = echo_times("foo", 10);  // only makes it
  std::cout << "---\n";
  std::ignore = echo_times("bar", 5);
  co_yield nothing;
}

int main() {
  Scheduler scheduler;
  scheduler.new_task(task());
  scheduler.run();
}
