#include "../coop/channel.hpp"

#include <iostream>
#include <optional>

#include "../coop/run.hpp"

using namespace coop;

/// Sends five numbers. If the channel is full, send() waits.
Coroutine<> produce(Channel<int>* channel) {
  for (int i = 1; i <= 5; ++i) {
    co_await channel->send(i);
    std::cout << "Sent " << i << ".\n";
  }
  channel->close();
}

/// Receives numbers until the channel is closed and empty. If it is only empty, receive() waits.
Coroutine<> consume(Channel<int>* channel) {
  while (true) {
    const std::optional<int> number = co_await channel->receive();
    if (!number) break;
    std::cout << "Received " << *number << ".\n";
  }
}

Coroutine<> main_task() {
  Channel<int> channel(2);  // stores at most two numbers
  Scope scope;
  scope.spawn(produce(&channel));
  scope.spawn(consume(&channel));
  co_await scope.join();
}

int main() {
  coop::run(main_task());
}
