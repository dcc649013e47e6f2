#include <iostream>

#include "process.hpp"

/// Asks for its id, takes three steps and ends.
Coroutine<> steps() {
  const TaskId id = co_await get_task_id();
  for (int i = 1; i <= 3; ++i) {
    std::cout << "Task " << id << " step " << i << ".\n";
    co_yield nothing;
  }
}

/// What a task becomes by exec_task(): it asks for its id, and gets the old one.
Coroutine<> another_body() {
  const TaskId id = co_await get_task_id();
  std::cout << "Task " << id << " runs another body.\n";
}

/// Starts a task, waits for its end, then goes on as another_body().
Coroutine<> waiting() {
  const TaskId id = co_await get_task_id();
  const TaskId child = co_await new_task(steps());
  std::cout << "Task " << id << " waits for task " << child << ".\n";
  co_await wait_task(child);
  std::cout << "Task " << id << " sees the end of task " << child << ".\n";
  co_await exec_task(another_body());
  std::cout << "This line is never printed.\n";
}

int main() {
  Scheduler scheduler;
  scheduler.new_task(waiting());
  scheduler.run();
}
