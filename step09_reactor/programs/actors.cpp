#include <iostream>
#include <optional>

#include "../coop/channel.hpp"
#include "../coop/run.hpp"

using namespace coop;

/// Prints the messages that it receives. Recipe 12.12, printer().
Coroutine<> printer(Channel<int>* mailbox) {
  while (true) {
    const std::optional<int> message = co_await mailbox->receive();
    if (!message) break;  // the mailbox is closed
    std::cout << "Got: " << *message << '\n';
  }
}

/// Receives n, sends it to the printer and n - 1 to itself, down to 0. Recipe 12.12, counter().
Coroutine<> counter(Channel<int>* mailbox, Channel<int>* to_printer) {
  while (true) {
    const std::optional<int> n = co_await mailbox->receive();
    if (n == 0) break;
    co_await to_printer->send(*n);
    co_await mailbox->send(*n - 1);
  }
  to_printer->close();
}

Coroutine<> main_task() {
  Channel<int> to_printer(1), to_counter(1);
  Scope scope;
  scope.spawn(printer(&to_printer));
  scope.spawn(counter(&to_counter, &to_printer));
  co_await to_counter.send(10000);
  co_await scope.join();
}

int main() {
  coop::run(main_task());
}
