#include <iostream>
#include <sstream>
#include <string>

#include "../coop/run.hpp"

using namespace coop;

/// Prints half a line in each of two turns.
Coroutine<> greet(std::string name) {
  co_await yield();  // because the first start is no `enter`
  std::cout << "Hello, ";
  co_await yield();
  std::cout << name << "!\n";
}

/// Makes std::cout write into `own` while the task runs.
void keep_output(const Handle<void>& task, std::stringbuf* own) {
  task->on_switch([own, shared = std::cout.rdbuf()](Task&, Switch what) {
    std::cout.rdbuf(what == Switch::enter ? own : shared);
    return true;
  });
}

Coroutine<> main_task() {
  std::stringbuf ada, bob;
  Scope scope;
  keep_output(scope.spawn(greet("Ada")), &ada);
  keep_output(scope.spawn(greet("Bob")), &bob);
  co_await scope.join();
  std::cout << ada.str() << bob.str();
}

int main() {
  coop::run(main_task());
}
