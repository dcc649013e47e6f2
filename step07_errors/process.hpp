#pragma once

#include <memory>
#include <stdexcept>
#include <utility>

#include "scheduler.hpp"

// The system calls about tasks. Each is made by a plain function, so that a body can say
// `yield get_task_id()`: it returns the request, the scheduler runs it.

/// Gives the caller its own id.
///
/// Article: "Communicating with the scheduler", getTaskId().
[[nodiscard]] inline SystemCall get_task_id() {
  return [](Task& task, Scheduler& scheduler) {
    task.set_send_value(task.id());
    scheduler.schedule(task);
  };
}

/// Makes a task of `coroutine` and gives the caller its id. The new task's first turn comes before
/// the caller's next one.
///
/// Article: "Communicating with the scheduler", newTask().
[[nodiscard]] inline SystemCall new_task(std::shared_ptr<Coroutine> coroutine) {
  return [coroutine = std::move(coroutine)](Task& task, Scheduler& scheduler) mutable {
    task.set_send_value(scheduler.new_task(std::move(coroutine)));
    scheduler.schedule(task);
  };
}

/// Ends a task at once. Throws `std::invalid_argument` into the caller if there is no such task, or
/// not any more. A task that kills itself ends there: nothing after the call runs.
///
/// Article: "Error handling", killTask().
[[nodiscard]] inline SystemCall kill_task(TaskId id) {
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
[[nodiscard]] inline SystemCall wait_task(TaskId id) {
  return [id](Task& task, Scheduler& scheduler) { scheduler.wait_task(id, task); };
}

/// Replaces the caller's coroutine by another one, which starts with the caller's next turn, under
/// the same id. Nothing after the call runs.
///
/// Article: left to its reader, as exec.
[[nodiscard]] inline SystemCall exec_task(std::shared_ptr<Coroutine> coroutine) {
  return [coroutine = std::move(coroutine)](Task& task, Scheduler& scheduler) mutable {
    task.exec(std::move(coroutine));
    scheduler.schedule(task);
  };
}

/// Copies the caller: both go on after the call. The caller gets the id of the copy, the copy gets
/// nothing and has its turn first. Throws `std::logic_error` into the caller, and makes no copy, if
/// its coroutine does not allow it.
///
/// Article: left to its reader, as fork.
[[nodiscard]] inline SystemCall fork_task() {
  return [](Task& task, Scheduler& scheduler) {
    task.set_send_value(scheduler.fork_task(task));
    scheduler.schedule(task);
  };
}
