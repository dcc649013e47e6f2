#pragma once

#include <iostream>

#include "process.hpp"

/// Asks for its id and works for three turns, with a line for each.
inline Coroutine<> bob() {
  const TaskId id = co_await get_task_id();
  for (int i = 1; i <= 3; ++i) {
    std::cout << "Task " << id << " step " << i << ".\n";
    co_yield nothing;
  }
}

/// Starts Bob and waits until he has finished.
inline Coroutine<> ann() {
  const TaskId id = co_await get_task_id();
  const TaskId bob_id = co_await new_task(bob());
  std::cout << "Task " << id << " waits for task " << bob_id << ".\n";
  co_await wait_task(bob_id);
  std::cout << "Task " << id << " sees the end of task " << bob_id << ".\n";
}
