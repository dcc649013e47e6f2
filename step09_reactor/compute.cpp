#include <future>
#include <iostream>
#include <stdexcept>
#include <string>
#include <utility>

#include "coop/uv/blocking.hpp"

using namespace coop;

/// Blocks its thread until somebody tells it a number.
int double_what_comes(std::shared_future<int> number) {
  return 2 * number.get();
}

int half(int number) {
  if (number % 2 != 0) throw std::domain_error(std::to_string(number) + " has no half");
  return number / 2;
}

/// If the scheduler's thread were blocked, too, this would never come to the last line.
Coroutine<> go_on(std::promise<int> number) {
  for (int i = 1; i <= 3; ++i) {
    std::cout << "The other task goes on, " << i << ".\n";
    co_await suspend();
  }
  number.set_value(21);
}

Coroutine<> double_in_a_thread() {
  std::promise<int> number;
  auto work = [future = number.get_future().share()] { return double_what_comes(future); };
  const Handle<void> other = spawn(go_on(std::move(number)));
  const int result = co_await blocking(std::move(work));
  std::cout << "The thread has answered: " << result << ".\n";
  co_await other;
}

/// What leaves the function in the other thread comes out here.
Coroutine<> halve_in_a_thread(int number) {
  try {
    const auto work = [number] { return half(number); };
    const int result = co_await blocking(work);
    std::cout << "Half of " << number << " is " << result << ".\n";
  } catch (const std::domain_error& e) {
    std::cout << "Error: " << e.what() << ".\n";
  }
}

Coroutine<> program() {
  co_await double_in_a_thread();
  co_await halve_in_a_thread(42);
  co_await halve_in_a_thread(17);
}

int main() {
  UvReactor reactor;
  Scheduler scheduler(reactor);
  scheduler.run(program());
}
