#include <iostream>
#include <string>

#include "coop/timer_reactor.hpp"
#include "coop/wait.hpp"

using namespace coop;

/// Returns the sum of two numbers, after a turn.
Coroutine<TaskId> add(std::string name, TaskId a, TaskId b) {
  std::cout << name << " in add(" << a << ", " << b << "), about to yield\n";
  co_await suspend();
  std::cout << name << " add resumed\n";
  co_return a + b;
  std::cout << name << " this is never printed\n";
}

/// Takes a turn and ends without a value.
Coroutine<> no_return(std::string name) {
  co_await suspend();
  std::cout << name << " noReturn finishing\n";
}

/// Ends without a yield.
Coroutine<> never_yields(std::string name) {
  std::cout << name << " neverYields body\n";
  co_return;
}

/// Calls all three and prints what each gives. What gives nothing is `void` here, not a NULL.
Coroutine<> caller(std::string name) {
  const TaskId id = current_task().id();
  const TaskId sum = co_await add(name, id, 10);
  std::cout << name << " task " << id << " got int(" << sum << ")\n";
  co_await no_return(name);
  std::cout << name << " task " << id << " got NULL\n";
  co_await never_yields(name);
  std::cout << name << " task " << id << " got NULL\n";
}

int main() {
  TimerReactor reactor;
  Scheduler scheduler(reactor);
  scheduler.spawn(caller("[A]"));
  scheduler.spawn(caller("[B]"));
  scheduler.run();
}
