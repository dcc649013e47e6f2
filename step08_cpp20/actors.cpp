#include <iostream>

#include "mailbox.hpp"

/// Prints what it receives, for ever. Recipe 12.12, printer().
Coroutine<> printer() {
  while (true) {
    const int message = co_await receive_message<int>();
    std::cout << "Got: " << message << '\n';
  }
}

/// Receives n, sends it to the printer and n - 1 to itself, until it gets 0. Recipe 12.12,
/// counter().
Coroutine<> counter() {
  while (true) {
    const int n = co_await receive_message<int>();
    if (n == 0) break;
    co_await send_message("printer", n);
    co_await send_message("counter", n - 1);
  }
}

int main() {
  Scheduler scheduler;
  scheduler.new_task(printer(), "printer");
  scheduler.new_task(counter(), "counter");
  scheduler.send_message("counter", 10000);
  scheduler.run();
}
