#pragma once

#include <exception>
#include <source_location>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>

#include "core/scheduler.hpp"

namespace coop {

/// The tasks that one coroutine starts and waits for. Most programs get one from with_scope(),
/// which ends them properly. Declare another one after the objects that its tasks use: its
/// destructor destroys the tasks that still live, so no task outlives the scope, whatever happens.
/// It needs a running scheduler. A task must not destroy the scope that it runs in.
///
/// Other libraries call it a nursery or a task group. TrueAsync: scope.
class Scope : detail::TaskGroup, Event {
 public:
  Scope() : TaskGroup(Scheduler::current()) {}

  /// Destroys the tasks that still live where they are suspended, last spawned first. If a task has
  /// failed and join() has not thrown the error, it is unhandled, unless another exception is being
  /// thrown.
  ~Scope() override {
    host.destroy(tasks);
    if (error_ && !is_joined_ && std::uncaught_exceptions() == 0) host.unhandled(error_);
  }

  /// Starts a task of this scope. After cancel(), or if a task has failed, it never runs.
  template <typename T>
  Handle<T> spawn(Coroutine<T> body,
                  const std::source_location& where = std::source_location::current()) {
    if (std::exchange(is_joined_, false)) error_ = nullptr;
    auto& scheduler = static_cast<Scheduler&>(host);
    return scheduler.spawn_into(*this, std::move(body), Priority::normal, where);
  }

  /// Cancels all tasks of the scope, and those that are spawned until join() has finished. Only the
  /// first one of several cancellations of a scope reaches its tasks, whatever the reasons are.
  void cancel(std::string reason = "cancelled") {
    if (!cancellation) TaskGroup::cancel(std::make_exception_ptr(Cancelled(std::move(reason))));
  }

  /// Returns true if no task of the scope lives.
  bool empty() const { return tasks.empty(); }

  /// Waits until no task of the scope lives. If one fails, the others are cancelled, and the first
  /// error is thrown when all have finished, by each join() until a task is spawned again. A task
  /// that was cancelled has not failed; another one that ends with Cancelled has. If the task that
  /// calls this is cancelled, so are those of the scope, and it waits for their end. If there is an
  /// error as well, or if all had finished before, the cancellation is thrown at the next wait.
  ///
  /// A task of the scope cannot call it: that throws `std::logic_error`.
  Coroutine<> join(std::source_location where = std::source_location::current()) {
    return join_as(false, where);
  }

 protected:
  /// join(), and with `later`, a cancellation is always thrown at the next wait.
  Coroutine<> join_as(bool later, std::source_location where);

  /// Returns what an awaiter or a timer cancels.
  TaskGroup& group() { return *this; }

 private:
  bool finished(const Task& task, const std::exception_ptr& error) noexcept override {
    static const auto foreign = std::make_exception_ptr(
        std::runtime_error("A task has ended by the cancellation of another one"));
    was_cancelled_ = cancellation != nullptr;
    if (error && !(task.is_cancelled() && is_cancellation(error))) {
      if (!error_) error_ = is_cancellation(error) ? foreign : error;
      cancel("another failed");
    }
    if (empty()) wake_all();
    return true;
  }

  std::string description() const override { return "the tasks of a scope"; }

  std::exception_ptr error_;
  bool is_joined_ = false;      // so the error is handled
  bool was_cancelled_ = false;  // when the last task finished
};

inline Coroutine<> Scope::join_as(bool later, std::source_location where) {
  if (&this_task().group_ == this) {
    throw std::logic_error("A task cannot join the scope that it runs in");
  }
  std::exception_ptr thrown;
  while (!empty()) {
    try {
      co_await EventAwaiter(*this, where);
    } catch (...) {
      if (!thrown) thrown = std::current_exception();
      TaskGroup::cancel(thrown);
    }
  }
  is_joined_ = true;
  cancellation = nullptr;
  if (thrown && (error_ || later || !was_cancelled_)) {
    this_task().cancel(std::exchange(thrown, nullptr));
  }
  if (error_) thrown = error_;
  if (thrown) std::rethrow_exception(thrown);
}

namespace detail {

/// A scope in a function of the library.
class LibraryScope final : public Scope {
 public:
  using Scope::group, Scope::join_as;
};

template <typename T, typename Function>
Coroutine<T> run_in_scope(Function function, std::source_location where) {
  Scope scope;
  const Handle<T> body = scope.spawn(function(&scope), where);
  co_await scope.join(where);
  co_return T(take(body));  // throws, if the body was cancelled
}

}  // namespace detail

/// `T result = co_await with_scope(function);` runs the coroutine `function(Scope*)`, the body,
/// which spawns tasks into the scope, and returns its result when all of them have finished. The
/// body is a task of the scope itself: if it fails, or one of the others does, the rest is
/// cancelled, and the error is thrown when all have finished. If the caller is cancelled, so are
/// they. If something else cancels the body, for example Scope::cancel(), it throws Cancelled,
/// unless the body returns all the same.
///
/// The function is kept until then, so a lambda that captures may be the body. The body does not
/// join(), and gives the pointer only to tasks of the scope.
template <SafeCallable Function>
auto with_scope(Function&& function,
                const std::source_location& where = std::source_location::current()) {
  using Kept = std::decay_t<Function>;
  using T = typename std::invoke_result_t<Kept&, Scope*>::value_type;
  return detail::run_in_scope<T, Kept>(std::forward<Function>(function), where);
}

}  // namespace coop
