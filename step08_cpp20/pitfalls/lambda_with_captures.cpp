// Pitfall: a lambda with captures is a coroutine, and it runs after the lambda has been destroyed.
// AddressSanitizer says: stack-use-after-scope
//
// Captures are members of the lambda, and the frame contains only a pointer to the lambda. This is
// also true for captures by value. Use parameters instead, because these are in the frame:
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
  }());  // here, the lambda is destroyed
  scheduler.run();
}
