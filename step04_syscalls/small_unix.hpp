#pragma once

#include <memory>

#include "scheduler.hpp"

// System calls that the article leaves to its reader ("Communicating with the scheduler").

/// Replaces the coroutine of the task by another one. The task keeps its id. Does not return.
inline SystemCall exec_task(std::shared_ptr<Coroutine> coroutine) {
  return [coroutine](TaskId asker, Scheduler& scheduler) {
    Task* const task = scheduler.find(asker);
    task->coroutine = coroutine;
    task->started = false;
    scheduler.schedule(asker);
  };
}

/// Copies the task, whose coroutine is `body`. Returns the id of the copy to the original, and
/// nothing to the copy. The copy runs first, and no task waits for it yet.
template <typename Body>
SystemCall fork_task(const Body& body) {
  return [&body](TaskId asker, Scheduler& scheduler) {
    const TaskId copy = scheduler.new_task(std::make_shared<Body>(body));
    scheduler.find(copy)->started = true;  // it continues at the same yield
    scheduler.schedule(asker, copy);
  };
}
