#include <iostream>

#include "ann_and_bob.hpp"

/// Asks for its id, yields once, and kills a task.
Coroutine<> carl(TaskId victim) {
  const TaskId id = co_await get_task_id();
  co_yield nothing;
  std::cout << "Task " << id << " kills task " << victim << ".\n";
  co_await kill_task(victim);
}

int main() {
  Scheduler scheduler;
  scheduler.new_task(ann());    // task 1
  scheduler.new_task(carl(3));  // task 2; Bob will be task 3
  scheduler.run();
}
