#include <iostream>

#include "../coop/protect.hpp"
#include "../coop/run.hpp"

using namespace coop;
using namespace std::chrono_literals;

/// A clean-up that doesn't wait is a destructor.
class Lamp {
 public:
  Lamp() { std::cout << "The lamp is on.\n"; }
  Lamp(const Lamp&) = delete;
  Lamp& operator=(const Lamp&) = delete;
  ~Lamp() { std::cout << "The lamp is off.\n"; }
};

/// Reads until it is late.
Coroutine<> read_a_book() {
  const Lamp lamp;
  co_await sleep(1h);
  std::cout << "This line is never printed.\n";
}

/// A clean-up that waits is a coroutine, because a destructor can't wait.
Coroutine<> close_the_door() {
  std::cout << "The door closes.\n";
  co_await yield();
  std::cout << "The door is closed.\n";
}

Coroutine<> main_task() {
  const Handle<void> reader = spawn(with_finally(read_a_book(), close_the_door()));
  co_await yield();  // the reader runs until it sleeps
  reader->cancel("it is late");
  try {
    co_await reader;
  } catch (const Cancelled& cancelled) {
    std::cout << "Cancelled: " << cancelled.reason() << ".\n";
  }
}

int main() {
  coop::run(main_task());
}
