#pragma once

#include <memory>

#include "scheduler.hpp"

// System calls that the article leaves to its reader ("Communicating with the scheduler").

/// Replaces the coroutine of the task by another one. The task keeps its id. Does not return.
inline SystemCall exec_task(std::shared_ptr<Coroutine> coroutine) {
  return [coroutine](TaskId asker, Scheduler& scheduler) {
    scheduler.find(asker)->exec(coroutine);
    scheduler.schedule(asker);
  };
}

/// Copies the task. Returns the id of the copy to the original, and nothing to the copy. The copy
/// runs first.
inline SystemCall fork_task() {
  return [](TaskId asker, Scheduler& scheduler) {
    scheduler.schedule(asker, scheduler.add(scheduler.find(asker)->fork()));
  };
}
