#include <iostream>
#include <string>

#include "../coop/run.hpp"

using namespace coop;

/// Has two turns, and queues a microtask in the first one.
Coroutine<> take_turns(std::string name) {
  Scheduler::current().defer([name] { std::cout << name << "'s microtask\n"; });
  std::cout << name << "'s first turn\n";
  co_await yield();
  std::cout << name << "'s second turn\n";
}

Coroutine<> main_task() {
  spawn(take_turns("Ada"));
  spawn(take_turns("Bob"));
  co_return;
}

int main() {
  coop::run(main_task());
}
