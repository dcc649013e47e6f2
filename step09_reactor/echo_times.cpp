#include <iostream>
#include <string>

#include "coop/timer_reactor.hpp"
#include "coop/wait.hpp"

using namespace coop;

/// Prints a text so many times, once a turn. Article: "Stacked coroutines", echoTimes().
Coroutine<> echo_times(std::string text, int times) {
  for (int i = 1; i <= times; ++i) {
    std::cout << text << " iteration " << i << '\n';
    co_await suspend();
  }
}

/// Calls two coroutines, one after the other. Article: "Stacked coroutines", task() as it was
/// meant.
Coroutine<> task() {
  co_await echo_times("foo", 10);
  std::cout << "---\n";
  co_await echo_times("bar", 5);
}

int main() {
  TimerReactor reactor;
  Scheduler scheduler(reactor);
  scheduler.run(task());
}
