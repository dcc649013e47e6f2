// Pitfall: a coroutine with a reference parameter runs after the argument has been destroyed.
// AddressSanitizer says: stack-use-after-scope
//
// The call only creates the coroutine. The frame contains the parameters, but not the objects to
// which they refer. Use parameters by value:
//
//   Coroutine<> greet(std::string name) { ... }
#include <iostream>
#include <string>

#include "../scheduler.hpp"

Coroutine<> greet(const std::string& name) {
  std::cout << "Hello " << name << '\n';
  co_return;
}

int main() {
  Scheduler scheduler;
  scheduler.new_task(greet(std::string("world")));  // here, the string is destroyed
  scheduler.run();
}
