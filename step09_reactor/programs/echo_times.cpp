#include <iostream>
#include <string>

#include "../coop/run.hpp"

using namespace coop;

/// Prints a text several times, once in each turn. Article: "Stacked coroutines", echoTimes().
Coroutine<> echo_times(std::string text, int times) {
  for (int i = 1; i <= times; ++i) {
    std::cout << text << " iteration " << i << '\n';
    co_await yield();
  }
}

/// Calls a coroutine twice. Article: "Stacked coroutines", task().
Coroutine<> main_task() {
  co_await echo_times("foo", 10);
  std::cout << "---\n";
  co_await echo_times("bar", 5);
}

int main() {
  coop::run(main_task());
}
