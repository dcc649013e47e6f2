// Pitfall: a coroutine has a reference to its argument, and runs when the argument is gone.
// AddressSanitizer says: stack-use-after-scope
//
// Calling a coroutine runs nothing of it. Its parameters are kept until it runs; what they refer to
// is not. Take them by value:
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
  scheduler.new_task(greet(std::string("world")));  // the string ends with this line
  scheduler.run();
}
