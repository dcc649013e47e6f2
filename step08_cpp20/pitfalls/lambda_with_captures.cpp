// Pitfall: a lambda is a coroutine and has captures, and runs when the lambda is gone.
// AddressSanitizer says: stack-use-after-scope
//
// Captures are members of the lambda, which the coroutine knows by reference only, even those that
// were captured by value. Make them parameters:
//
//   scheduler.new_task([](std::string name) -> Coroutine<> { ... }("world"));
#include <iostream>
#include <string>

#include "../scheduler.hpp"

int main() {
  Scheduler scheduler;
  const std::string name = "world";
  scheduler.new_task([name]() -> Coroutine<> {
    std::cout << "Hello " << name << '\n';
    co_return;
  }());  // the lambda ends with this line
  scheduler.run();
}
