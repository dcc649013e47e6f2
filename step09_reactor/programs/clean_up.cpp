#include <iostream>
#include <string>

#include "../coop/protect.hpp"
#include "../coop/run.hpp"

using namespace coop;
using namespace std::chrono_literals;

/// A clean-up that doesn't wait is a destructor.
class Stove {
 public:
  Stove() { std::cout << "The stove is on.\n"; }
  Stove(const Stove&) = delete;
  Stove& operator=(const Stove&) = delete;
  ~Stove() { std::cout << "The stove is off.\n"; }
};

/// Prepares a part of the breakfast.
Coroutine<> prepare(std::string what, Clock::duration time) {
  const Stove stove;
  co_await sleep(time);
  std::cout << "The " << what << " is ready.\n";
}

/// A clean-up that waits is a coroutine, because a destructor can't wait.
Coroutine<> wash_the_pot() {
  std::cout << "The pot is in the water.\n";
  co_await yield();
  std::cout << "The pot is clean.\n";
}

/// Cancels the coffee.
Coroutine<> have_tea() {
  const Handle<void> coffee = spawn(with_finally(prepare("coffee", 1h), wash_the_pot()));
  co_await yield();  // the coffee cooks from now on
  coffee->cancel("there is tea");
  try {
    co_await coffee;
  } catch (const Cancelled& cancelled) {
    std::cout << "Cancelled: " << cancelled.reason() << ".\n";
  }
}

/// Waits for the coffee, but not for long.
Coroutine<> catch_the_train() {
  try {
    co_await with_timeout(10ms, with_finally(prepare("coffee", 1h), wash_the_pot()));
  } catch (const TimedOut&) {
    std::cout << "The train leaves.\n";
  }
}

int main() {
  coop::run(have_tea());
  coop::run(catch_the_train());
}
