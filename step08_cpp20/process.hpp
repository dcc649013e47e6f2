#pragma once

#include <memory>
#include <stdexcept>
#include <utility>

#include "scheduler.hpp"

// The system calls about tasks. Each is made by a plain function, so that a body can say
// `co_await get_task_id()`: it returns the request, the scheduler runs it.

/// Gives the caller its own id.
///
/// Article: "Communicating with the scheduler", getTaskId().
inline SystemCall<TaskId> get_task_id() {
  return [](Task& task, Scheduler& scheduler) {
    task.set_send_value(task.id());
    scheduler.schedule(task);
  };
}

/// Makes a task of `coroutine` and gives the caller its id. The new task's first turn comes before
/// the caller's next one.
///
/// Article: "Communicating with the scheduler", newTask().
inline SystemCall<TaskId> new_task(Coroutine<> coroutine) {
  // A std::function can be copied and a coroutine cannot, so the function shares it.
  const auto body = std::make_shared<Coroutine<>>(std::move(coroutine));
  return [body](Task& task, Scheduler& scheduler) {
    task.set_send_value(scheduler.new_task(std::move(*body)));
    scheduler.schedule(task);
  };
}

/// Ends a task at once. Throws `std::invalid_argument` into the caller if there is no such task, or
/// not any more. A task that kills itself ends there: nothing after the call runs.
///
/// Article: "Error handling", killTask().
inline SystemCall<bool> kill_task(TaskId id) {
  return [id](Task& task, Scheduler& scheduler) {
    if (!scheduler.kill_task(id)) throw std::invalid_argument("Invalid task ID!");
    task.set_send_value(true);
    scheduler.schedule(task);
  };
}

/// Waits until a task has ended and gives true. Throws `std::invalid_argument` into the caller for
/// a task that never was, and for the caller itself.
///
/// Article: left to its reader, as wait.
inline SystemCall<bool> wait_task(TaskId id) {
  return [id](Task& task, Scheduler& scheduler) { scheduler.wait_task(id, task); };
}

/// Replaces the caller's coroutine by another one, which starts with the caller's next turn, under
/// the same id. Nothing after the call runs.
///
/// Article: left to its reader, as exec.
inline SystemCall<> exec_task(Coroutine<> coroutine) {
  const auto body = std::make_shared<Coroutine<>>(std::move(coroutine));
  return [body](Task& task, Scheduler& scheduler) {
    task.exec(std::move(*body));
    scheduler.schedule(task);
  };
}
