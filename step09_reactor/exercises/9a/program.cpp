#include <iostream>
#include <stdexcept>
#include <string>

#include "coop/protect.hpp"
#include "coop/run.hpp"

using namespace coop;

/// The clean-up. It needs two turns.
Coroutine<> close_drawer(int number) {
  co_await yield();
  std::cout << "drawer " << number << " is closed\n";
}

Coroutine<int> count_spoons() {
  co_await yield();
  co_return 6;
}

Coroutine<> pinch_finger() {
  co_await yield();
  throw std::runtime_error("ouch");
}

Coroutine<> sleep_long() {
  co_await sleep(std::chrono::hours(1));
}

Coroutine<> do_nothing() {
  co_return;
}

/// Waits for a task, and prints whether it was cancelled.
Coroutine<> await_task(Handle<void> task) {
  try {
    co_await task;
  } catch (const Cancelled& cancelled) {
    std::cout << "cancelled: " << cancelled.reason() << '\n';
  }
}

Coroutine<> main_task() {
  const int spoons = co_await with_finally(count_spoons(), close_drawer(1));
  std::cout << spoons << " spoons\n";

  try {
    co_await with_finally(pinch_finger(), close_drawer(2));
  } catch (const std::runtime_error& e) {
    std::cout << e.what() << '\n';
  }

  const Handle<void> in_the_body = spawn(with_finally(sleep_long(), close_drawer(3)));
  co_await yield();
  in_the_body->cancel("in the body");
  co_await await_task(in_the_body);

  const Handle<void> in_the_cleanup = spawn(with_finally(do_nothing(), close_drawer(4)));
  co_await yield();
  in_the_cleanup->cancel("in the clean-up");
  co_await await_task(in_the_cleanup);
}

int main() {
  coop::run(main_task());
}
