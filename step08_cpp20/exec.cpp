#include <iostream>

#include "process.hpp"
#include "small_unix.hpp"

/// Prints the id of its task and finishes.
Coroutine<> another_body() {
  const TaskId id = co_await get_task_id();
  std::cout << "Task " << id << " runs another body.\n";
}

/// Prints the id of its task and replaces itself by another body.
Coroutine<> first_body() {
  const TaskId id = co_await get_task_id();
  std::cout << "Task " << id << " runs its first body.\n";
  co_await exec_task(another_body());
  std::cout << "This line is never printed.\n";
}

int main() {
  Scheduler scheduler;
  scheduler.new_task(first_body());
  scheduler.run();
}
