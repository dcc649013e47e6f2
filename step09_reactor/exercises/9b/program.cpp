#include <iostream>
#include <stdexcept>
#include <string>

#include "coop/structured.hpp"
#include "coop/timer_reactor.hpp"

using namespace coop;

/// The clean-up. It needs a turn.
Coroutine<> close_drawer(int number) {
  co_await suspend();
  std::cout << "drawer " << number << " is closed\n";
}

Coroutine<int> count_spoons() {
  co_await suspend();
  co_return 6;
}

Coroutine<> pinch_finger() {
  co_await suspend();
  throw std::runtime_error("ouch");
}

/// Waits for a task, and says if it was cancelled.
Coroutine<> wait_for(Handle<void> task) {
  try {
    co_await task;
  } catch (const Cancelled& cancelled) {
    std::cout << "cancelled: " << cancelled.reason() << '\n';
  }
}

Coroutine<> program() {
  const int spoons = co_await with_finally(count_spoons(), close_drawer(1));
  std::cout << spoons << " spoons\n";

  try {
    co_await with_finally(pinch_finger(), close_drawer(2));
  } catch (const std::runtime_error& e) {
    std::cout << e.what() << '\n';
  }

  ManualEvent never;
  const Handle<void> in_the_body = spawn(with_finally(until(&never), close_drawer(3)));
  co_await suspend();
  in_the_body->cancel("while it waits");
  co_await wait_for(in_the_body);

  ManualEvent already;
  already.set();
  const Handle<void> in_the_cleanup = spawn(with_finally(until(&already), close_drawer(4)));
  co_await suspend();
  in_the_cleanup->cancel("while it cleans up");
  co_await wait_for(in_the_cleanup);
}

int main() {
  TimerReactor reactor;
  Scheduler scheduler(reactor);
  scheduler.run(program());
}
