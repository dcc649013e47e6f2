#pragma once

#include <coroutine>
#include <exception>
#include <source_location>
#include <type_traits>
#include <utility>

#include "coroutine.hpp"

namespace coop {

/// A task and the place of its result.
template <typename T>
class TaskOf final : public Task {
 public:
  TaskOf(Scheduler& scheduler, TaskId id, const std::source_location& where)
      : Task(scheduler, id, where) {}

  Stored<T> result;
};

/// Keeps a task's record alive. Copies share it.
class TaskReference {
 public:
  explicit TaskReference(Task& task) noexcept : task_(&task) { ++task.handles_; }
  TaskReference(const TaskReference& other) noexcept : TaskReference(*other.task_) {}
  TaskReference& operator=(TaskReference other) noexcept {
    std::swap(task_, other.task_);
    return *this;
  }
  ~TaskReference() {
    if (--task_->handles_ == 0 && task_->is_finished()) task_->lose_last_handle();
  }

  /// Throws what has left the body of the finished task, and takes note that somebody has seen it.
  void rethrow_error() const;

 private:
  Task* task_;
};

/// What spawn() gives: `T result = co_await handle;` waits for the end of the task and gives its
/// result, or throws what has left its body. Any number of tasks may await it, at any time, and a
/// finished one costs no turn. The result is copied.
///
/// An error that nobody sees before the last handle goes is unhandled; see
/// Scheduler::on_unhandled().
template <typename T>
class Handle {
 public:
  class Joining;

  explicit Handle(TaskOf<T>& task) : reference_(task), task_(&task) {}

  Task* operator->() const { return task_; }
  Task& operator*() const { return *task_; }

  Joining operator co_await() const { return Joining(*this); }

 private:
  TaskReference reference_;
  TaskOf<T>* task_;
};

/// The awaiter of a spawned task.
template <typename T>
class Handle<T>::Joining {
 public:
  explicit Joining(Handle handle) : handle_(std::move(handle)), event_(handle_.task_) {}

  bool await_ready() const { return handle_.task_->is_finished(); }

  /// An operator cannot say where it is called; this can.
  template <typename P>
  bool await_suspend(std::coroutine_handle<P> caller,
                     const std::source_location& where = std::source_location::current()) {
    static_assert(runs_in_a_task<P>, "only a Coroutine can co_await a task");
    waiter_ = caller.promise().task;
    return waiter_->wait_for({&event_, 1}, where);
  }

  T await_resume() {
    if (waiter_) waiter_->throw_if_needed();
    handle_.reference_.rethrow_error();
    if constexpr (!std::is_void_v<T>) return handle_.task_->result.value();
  }

 private:
  Handle handle_;
  Event* event_;
  Task* waiter_ = nullptr;
};

}  // namespace coop
