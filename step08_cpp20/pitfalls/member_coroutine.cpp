// Pitfall: a member function is a coroutine, and runs when its object is gone.
// AddressSanitizer says: stack-use-after-scope
//
// `this` is a reference, too. Let the member function be a plain one that gives a copy to a
// coroutine, as those of CoSocket do:
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
  scheduler.new_task(Guest("world").greet());  // the guest ends with this line
  scheduler.run();
}
