#pragma once

#include <deque>
#include <memory>
#include <unordered_map>
#include <utility>

#include "task.hpp"

/// Lets tasks take turns, first in, first out, until all have ended.
///
/// Tasks that still live when the scheduler is destroyed are destroyed with it, in the order of
/// their ids.
///
/// Article: "Cooperative multitasking", class Scheduler.
class Scheduler {
 public:
  Scheduler() = default;
  Scheduler(const Scheduler&) = delete;
  ~Scheduler() {
    for (TaskId id = 1; id <= max_task_id_; ++id) tasks_.extract(id);
  }

  /// Makes a task of `coroutine` and puts it at the end of the queue. Returns its id.
  TaskId new_task(std::shared_ptr<Coroutine> coroutine) {
    const TaskId id = ++max_task_id_;
    tasks_.emplace(id, Task(id, std::move(coroutine)));
    schedule(tasks_.at(id));
    return id;
  }

  /// Puts a task of this scheduler at the end of the queue.
  void schedule(Task& task) { ready_.push_back(&task); }

  /// Runs until no task is ready. An exception that leaves a task ends that task and comes out
  /// here; the others are kept, and a second run() goes on with them.
  void run() {
    while (!ready_.empty()) {
      Task& task = *ready_.front();
      ready_.pop_front();
      run_one(task);
    }
  }

 private:
  void run_one(Task& task) {
    try {
      task.run();
    } catch (...) {
      tasks_.erase(task.id());
      throw;
    }
    if (task.is_finished()) {
      tasks_.erase(task.id());
    } else {
      schedule(task);
    }
  }

  TaskId max_task_id_ = 0;
  std::unordered_map<TaskId, Task> tasks_;  // owns the tasks; they never move while they are in it
  std::deque<Task*> ready_;
};
