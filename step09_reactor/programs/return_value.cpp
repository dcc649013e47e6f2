#include <iostream>
#include <string>

#include "../coop/run.hpp"

using namespace coop;

/// Returns the sum of two numbers, one turn later.
Coroutine<TaskId> add(std::string name, TaskId a, TaskId b) {
  std::cout << name << " in add(" << a << ", " << b << "), about to yield\n";
  co_await yield();
  std::cout << name << " add resumed\n";
  co_return a + b;
}

/// Returns nothing, one turn later.
Coroutine<> no_return(std::string name) {
  co_await yield();
  std::cout << name << " noReturn finishing\n";
}

/// Returns nothing, and never yields.
Coroutine<> never_yields(std::string name) {
  std::cout << name << " neverYields body\n";
  co_return;
}

/// Calls the three coroutines. The earlier steps print NULL where a coroutine returns nothing.
Coroutine<> caller(std::string name) {
  const TaskId id = this_task().id();
  const TaskId sum = co_await add(name, id, 10);
  std::cout << name << " task " << id << " got int(" << sum << ")\n";
  co_await no_return(name);
  std::cout << name << " task " << id << " got NULL\n";
  co_await never_yields(name);
  std::cout << name << " task " << id << " got NULL\n";
}

Coroutine<> main_task() {
  spawn(caller("[B]"));
  co_await caller("[A]");
}

int main() {
  coop::run(main_task());
}
