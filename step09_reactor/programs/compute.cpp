#include <future>
#include <iostream>

#include "../coop/run.hpp"
#include "../coop/uv/thread.hpp"

using namespace coop;

/// Counts in the scheduler's thread, and then sends a number to the other thread.
Coroutine<> count(std::promise<int>* number) {
  for (int i = 1; i <= 3; ++i) {
    std::cout << "The scheduler's thread is not blocked, turn " << i << ".\n";
    co_await yield();
  }
  number->set_value(21);
}

/// Waits for a function that blocks its own thread until the number is there.
Coroutine<> main_task() {
  std::promise<int> number;
  std::future<int> received = number.get_future();
  const auto twice_the_number = [&received] { return 2 * received.get(); };
  Scope scope;
  scope.spawn(count(&number));
  const int result = co_await blocking(twice_the_number);
  std::cout << "The other thread has returned " << result << ".\n";
  co_await scope.join();
}

int main() {
  coop::run(main_task());
}
