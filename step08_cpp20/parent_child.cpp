#include <iostream>

#include "process.hpp"

/// Lives until it is killed. Article: "Communicating with the scheduler", childTask().
Coroutine<> child_task() {
  const TaskId id = co_await get_task_id();
  while (true) {
    std::cout << "Child task " << id << " still alive!\n";
    co_yield nothing;
  }
}

/// Starts a child and kills it. Article: "Communicating with the scheduler", task().
Coroutine<> task() {
  const TaskId id = co_await get_task_id();
  const TaskId child = co_await new_task(child_task());
  for (int i = 1; i <= 6; ++i) {
    std::cout << "Parent task " << id << " iteration " << i << ".\n";
    co_yield nothing;
    if (i == 3) {
      co_await kill_task(child);
    }
  }
}

int main() {
  Scheduler scheduler;
  scheduler.new_task(task());
  scheduler.run();
}
