
#include <iostream>

#include "../coop/run.hpp"

using namespace coop;
using namespace std::chrono_literals;

/// Needs some time to find the answer.
Coroutine<int> answer(Clock::duration time) {
  co_await sleep(time);
  co_return 42;
}

Coroutine<> main_task() {
  const int quick = co_await with_timeout(1h, answer(10ms));
  std::cout << "The answer is " << quick << ".\n";
  try {
    co_await with_timeout(10ms, answer(1h));
  } catch (const TimedOut& error) {
    std::cout << "No answer: " << error.what() << ".\n";
  }
}

int main() {
  coop::run(main_task());
}
