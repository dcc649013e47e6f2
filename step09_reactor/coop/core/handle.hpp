#pragma once

#include <type_traits>
#include <utility>

#include "wait.hpp"

namespace coop {

template <typename T = void>
class Handle;

namespace detail {

/// A task and the place of its result.
template <typename T>
class TaskOf final : public Task {
 public:
  using Task::Task, Task::share, Task::release, Task::rethrow_error;
  [[no_unique_address]] std::conditional_t<std::is_void_v<T>, std::monostate, Stored<T>> result;
};

/// Moves the result of a finished task out, or throws its error.
template <typename T>
Result<T> take(const Handle<T>& handle) {
  auto& task = static_cast<TaskOf<T>&>(*handle);
  task.rethrow_error();
  if constexpr (std::is_void_v<T>) {
    return {};
  } else {
    return std::move(*task.result);
  }
}

}  // namespace detail

/// A spawned task, whose result can be awaited, or which can be cancelled. Other libraries
/// call it a join handle. `T result = co_await handle;` waits until the task has finished and
/// returns its result, or throws what it did not catch. Any number of tasks may await it, at any
/// time; if the task has finished, that takes no turn. The result is copied. A result that can only
/// be moved is moved out, so await it once.
///
/// If no task awaits an error before the last handle is destroyed, the error is unhandled: see
/// Scheduler::on_unhandled().
template <typename T>
class Handle {
 public:
  class Awaiter;

  /// Refers to `task`, whose object lives at least as long.
  explicit Handle(detail::TaskOf<T>& task) noexcept : task_(&task) { task_->share(); }
  /// Refers to the same task.
  Handle(const Handle& other) noexcept : Handle(*other.task_) {}
  Handle& operator=(Handle other) noexcept {
    std::swap(task_, other.task_);
    return *this;
  }
  ~Handle() { task_->release(); }

  Task* operator->() const { return task_; }
  Task& operator*() const { return *task_; }

  Awaiter operator co_await() const { return Awaiter(*this); }

 private:
  detail::TaskOf<T>* task_;
};

/// The awaiter of a handle. It keeps the task's object alive.
template <typename T>
class Handle<T>::Awaiter : public EventAwaiter {
 public:
  explicit Awaiter(const Handle& handle) : EventAwaiter(*handle), handle_(handle) {}

  bool await_ready() const { return handle_->is_finished(); }

  T await_resume() {
    EventAwaiter::await_resume();
    if constexpr (std::is_copy_constructible_v<T>) {
      handle_.task_->rethrow_error();
      return *handle_.task_->result;
    } else {
      return T(detail::take(handle_));  // for void, a cast
    }
  }

 private:
  Handle handle_;
};

}  // namespace coop
