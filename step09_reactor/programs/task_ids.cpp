#include <iostream>

#include "../coop/run.hpp"

using namespace coop;

/// Prints the id of its task in each turn. Article: "Communicating with the scheduler", task().
Coroutine<> task(int max) {
  const TaskId id = this_task().id();
  for (int i = 1; i <= max; ++i) {
    std::cout << "This is task " << id << " iteration " << i << ".\n";
    co_await yield();
  }
}

/// Spawns task 2. The call runs in task 1, the task of main_task().
Coroutine<> main_task() {
  spawn(task(5));
  co_await task(10);
}

int main() {
  coop::run(main_task());
}
