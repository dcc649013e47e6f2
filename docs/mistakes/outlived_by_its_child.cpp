// Mistake: a task uses a variable of a task that has finished.
// Build: -std=c++20 -g -fsanitize=address
// AddressSanitizer says: heap-use-after-free
#include <iostream>

#include "../../step08_cpp20/process.hpp"

Coroutine<> add_to(int* sum) {
  co_yield nothing;
  *sum += 1;  // the parent has finished
}

Coroutine<> parent() {
  int sum = 0;
  co_await new_task(add_to(&sum));
  std::cout << "The sum is " << sum << ".\n";  // then the frame is destroyed
}

int main() {
  Scheduler scheduler;
  scheduler.new_task(parent());
  scheduler.run();
}
