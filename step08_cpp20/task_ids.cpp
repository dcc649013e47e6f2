#include <iostream>

#include "process.hpp"

/// Asks for its id, then says so in each turn. Article: "Communicating with the scheduler", task().
Coroutine<> task(int max) {
  const TaskId id = co_await get_task_id();
  for (int i = 1; i <= max; ++i) {
    std::cout << "This is task " << id << " iteration " << i << ".\n";
    co_yield nothing;
  }
}

int main() {
  Scheduler scheduler;
  scheduler.new_task(task(10));
  scheduler.new_task(task(5));
  scheduler.run();
}
