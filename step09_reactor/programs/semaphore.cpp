#include "../coop/semaphore.hpp"

#include <iostream>

#include "../coop/run.hpp"

using namespace coop;

/// Waits for one of the two places, and keeps it for two turns.
Coroutine<> visit(Semaphore* places, int guest) {
  const Permit place = co_await places->acquire();
  std::cout << "Guest " << guest << " sits down.\n";
  co_await yield();
  co_await yield();
  std::cout << "Guest " << guest << " leaves.\n";
}

Coroutine<> main_task() {
  Semaphore places(2);
  Scope scope;
  for (int guest = 1; guest <= 5; ++guest) {
    scope.spawn(visit(&places, guest));
  }
  co_await scope.join();
}

int main() {
  coop::run(main_task());
}
