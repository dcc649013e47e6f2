#include "task_group.hpp"

#include <algorithm>
#include <utility>

#include "cancellation.hpp"

namespace coop::detail {

Task* TaskHost::find(TaskId id) const {
  for (TaskGroup& group : groups) {
    for (Task& task : group.tasks) {
      if (task.id() == id) return &task;
    }
  }
  return nullptr;
}

void TaskHost::cancel_all(const std::exception_ptr& cancellation) noexcept {
  for (TaskGroup& group : groups) {
    group.cancellation = cancellation;
    for (Task& task : group.tasks) {
      task.protected_ = false;
      task.cancel(cancellation);
    }
  }
}

/// The queue is of no use any longer, and has room for all of them, so they are sorted there.
void TaskHost::destroy_all() noexcept {
  while (living > 0) {
    ready.clear();
    destroyed = 0;
    for (TaskGroup& group : groups) {
      while (Task* const task = group.tasks.first()) {
        group.tasks.remove(*task);
        ready.push_back_reserved(task->innermost_);
      }
    }
    Promise** const first = &ready[0];
    std::sort(first, first + ready.size(),
              [](const Promise* a, const Promise* b) { return a->task->id() < b->task->id(); });
    List<Task> all;
    while (!ready.empty()) all.add(*ready.pop_front()->task);
    destroy(all);
  }
}

/// Before the first frame is destroyed, all waits are left, so no event wakes a task any longer.
void TaskHost::destroy(List<Task>& group) noexcept {
  List<Task> tasks = std::exchange(group, List<Task>());
  for (Task& task : tasks) {
    Promise** const place = ready.at_place(task.innermost_->place);
    if (place && *place == task.innermost_) {  // a search would take as long as the queue
      *place = nullptr;
      ++destroyed;
    }
    task.leave_events();
    task.state_ = Task::State::finished;
    --living;
  }
  while (Task* const task = tasks.last()) {
    tasks.remove(*task);
    while (task->innermost_) task->destroy_innermost();
    task->handlers_.reset();  // which may hold a handle to it
    static const std::exception_ptr error = std::make_exception_ptr(Cancelled("destroyed"));
    task->error_ = error;
    task->wake_all();
    task->release();
  }
  if (!group.empty()) destroy(group);
}

}  // namespace coop::detail
