// Pitfall: a member function is a coroutine, and it runs after the object has been destroyed.
// AddressSanitizer says: stack-use-after-scope
//
// The frame contains only the pointer `this`. Let the member function pass a copy to a coroutine
// that is a free function, as CoSocket does:
//
//   Coroutine<> greet() const { return greeting(name_); }
#include <iostream>
#include <string>
#include <utility>

#include "../scheduler.hpp"

class Guest {
 public:
  explicit Guest(std::string name) : name_(std::move(name)) {}

  Coroutine<> greet() const {
    std::cout << "Hello " << name_ << '\n';
    co_return;
  }

 private:
  std::string name_;
};

int main() {
  Scheduler scheduler;
  scheduler.new_task(Guest("world").greet());  // here, the guest is destroyed
  scheduler.run();
}
