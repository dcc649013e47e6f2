#include <exception>
#include <iostream>
#include <stdexcept>

#include "coop/timer_reactor.hpp"
#include "coop/wait.hpp"

using namespace coop;

/// Catches what is thrown where it waits. Article: "Error handling", gen().
Coroutine<> catching(ManualEvent* event) {
  std::cout << "Foo\n";
  try {
    co_await wait(*event);
  } catch (const std::exception& e) {
    std::cout << "Exception: " << e.what() << '\n';
  }
  std::cout << "Bar\n";
}

Coroutine<> throwing(ManualEvent* event) {
  event->fail(std::make_exception_ptr(std::runtime_error("Test")));
  co_return;
}

int main() {
  ManualEvent event;
  TimerReactor reactor;
  Scheduler scheduler(reactor);
  scheduler.spawn(catching(&event));
  scheduler.spawn(throwing(&event));
  scheduler.run();
}
