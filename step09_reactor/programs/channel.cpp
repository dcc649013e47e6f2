#include "../coop/channel.hpp"

#include <iostream>
#include <optional>

#include "../coop/run.hpp"

using namespace coop;

/// Sends five orders. If the channel is full, send() waits.
Coroutine<> take_orders(Channel<int>* orders) {
  for (int order = 1; order <= 5; ++order) {
    co_await orders->send(order);
    std::cout << "Sent " << order << ".\n";
  }
  orders->close();
}

/// Cooks until the channel is closed and empty. If it is only empty, receive() waits.
Coroutine<> cook(Channel<int>* orders) {
  while (const std::optional<int> order = co_await orders->receive()) {
    std::cout << "Received " << *order << ".\n";
    co_await yield();  // cooks
  }
}

Coroutine<> main_task() {
  Channel<int> orders(2);  // stores at most two of them
  Scope kitchen;
  kitchen.spawn(take_orders(&orders));
  for (int cooks = 2; cooks > 0; --cooks) kitchen.spawn(cook(&orders));
  co_await kitchen.join();
}

int main() {
  coop::run(main_task());
}
