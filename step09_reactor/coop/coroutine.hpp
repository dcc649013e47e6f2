#pragma once

#include <coroutine>
#include <memory>
#include <optional>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <variant>

#include "task.hpp"

namespace coop {

/// True for the coroutines that a task can run.
template <typename P>
constexpr bool runs_in_a_task = std::is_base_of_v<Promise, P>;

/// What a coroutine's result is kept in.
template <typename T>
using Stored = std::optional<std::conditional_t<std::is_void_v<T>, std::monostate, T>>;

/// A coroutine that has not been started: it has one owner, who spawns it, awaits it, or drops it.
/// Nothing of it runs before. Awaiting none, one that has been moved away or awaited before, throws
/// `std::invalid_argument`. An exception that leaves it is thrown where it is awaited.
///
/// `T result = co_await it();` runs it as a part of the task that awaits: a call, with no scheduler
/// in between. For a task of its own see spawn().
template <typename T = void>
class [[nodiscard]] Coroutine {
 public:
  class promise_type;
  class Call;

  Coroutine() = default;

  Call operator co_await() && { return Call(release()); }
  void operator co_await() & = delete;  // co_await std::move(it): a coroutine is awaited once

  /// Gives the coroutine away, to a task that runs it at once.
  promise_type& release() {
    if (!promise_) throw std::invalid_argument("There is no coroutine to call");
    return *promise_.release();
  }

 private:
  struct Destroy {
    void operator()(promise_type* promise) const { promise->handle.destroy(); }
  };

  explicit Coroutine(promise_type& promise) : promise_(&promise) {}

  std::unique_ptr<promise_type, Destroy> promise_;
};

template <typename T>
class Coroutine<T>::promise_type : public ReturningPromise<T> {
 public:
  Coroutine get_return_object() {
    this->handle = std::coroutine_handle<promise_type>::from_promise(*this);
    return Coroutine(*this);
  }
};

/// The awaiter of a call. It lives in the frame of the caller, and so does the result.
template <typename T>
class Coroutine<T>::Call {
 public:
  explicit Call(promise_type& callee) : callee_(callee) {}

  bool await_ready() const noexcept { return false; }

  template <typename P>
  void await_suspend(std::coroutine_handle<P> caller) noexcept {
    static_assert(runs_in_a_task<P>, "only a Coroutine can co_await a Coroutine");
    if constexpr (!std::is_void_v<T>) callee_.result = &result_;
    task_ = caller.promise().task;
    task_->call(callee_, &caller.promise());
  }

  T await_resume() {
    task_->rethrow_error();
    if constexpr (!std::is_void_v<T>) return std::move(result_).value();
  }

 private:
  promise_type& callee_;
  Task* task_ = nullptr;
  Stored<T> result_;
};

}  // namespace coop
