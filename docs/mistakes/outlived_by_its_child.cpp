// Mistake: a task gives another one a pointer to its own variable, and ends first.
// Build: -std=c++20 -g -fsanitize=address
// AddressSanitizer says: heap-use-after-free
#include <iostream>

#include "../../step08_cpp20/process.hpp"

Coroutine<> add_to(int* sum) {
  co_yield nothing;
  *sum += 1;  // whose is it by now?
}

Coroutine<> parent() {
  int sum = 0;
  co_await new_task(add_to(&sum));
  std::cout << "The sum is " << sum << ".\n";  // and the frame goes, with sum in it
}

int main() {
  Scheduler scheduler;
  scheduler.new_task(parent());
  scheduler.run();
}
