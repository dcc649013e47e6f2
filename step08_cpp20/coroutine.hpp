#pragma once

#include <coroutine>
#include <exception>
#include <memory>
#include <optional>
#include <stdexcept>
#include <type_traits>
#include <utility>

#include "generator.hpp"
#include "task.hpp"

/// The base of everything that a coroutine can `co_await`. The object is in the frame of the
/// coroutine that awaits it, and stores the value that the `co_await` returns.
///
/// The compiler calls its three functions: await_ready() and await_suspend() when the coroutine is
/// suspended, and await_resume() when it is resumed.
template <typename T>
class Awaiter {
 public:
  Awaiter() = default;

  /// Returns false, which means that the coroutine must be suspended.
  bool await_ready() const noexcept { return false; }

  /// Stores the coroutine that awaits.
  template <typename P>
  void await_suspend(std::coroutine_handle<P> awaiting) noexcept {
    awaiting_ = &awaiting.promise();
  }

  /// Returns the value, or throws the exception that was thrown into the coroutine.
  T await_resume() {
    if (awaiting_->error) std::rethrow_exception(std::exchange(awaiting_->error, nullptr));
    if constexpr (!std::is_void_v<T>) return std::move(*result_);
  }

 protected:
  Promise* awaiting_ = nullptr;  // the promise of the coroutine that awaits
  std::optional<std::conditional_t<std::is_void_v<T>, Nothing, T>> result_;
};

/// The part of the frame that depends on the type of the return value. `co_return` puts the value
/// into the awaiter in the frame of the caller.
template <typename T>
struct ReturnPromise : Promise {
  std::optional<T>* result = nullptr;
  void return_value(T value) { result->emplace(std::move(value)); }
};

template <>
struct ReturnPromise<void> : Promise {
  std::optional<Nothing>* result = nullptr;
  void return_void() const noexcept {}
};

/// The body of a task, or of a function that a task calls. Write a function that returns a
/// Coroutine and that contains a `co_await`, a `co_yield nothing` or a `co_return`. Calling the
/// function runs nothing. The body starts when a task runs it, or when another coroutine calls it
/// by `T result = co_await function();`. It runs only once.
///
/// Article: "Cooperative multitasking" and "Stacked coroutines".
template <typename T = void>
class [[nodiscard]] Coroutine : public Awaiter<T> {
 public:
  struct promise_type;

  /// Calls the coroutine: the task of the caller runs it next.
  template <typename P>
  void await_suspend(std::coroutine_handle<P> caller) {
    Awaiter<T>::await_suspend(caller);
    promise_type& callee = release();
    callee.result = &this->result_;
    this->awaiting_->task->call(callee);
  }

  /// Returns the promise to a task, which will destroy the frame. Throws `std::logic_error` if the
  /// coroutine has been released or moved before.
  promise_type& release() {
    if (!promise_) throw std::logic_error("A coroutine can run only once");
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
struct Coroutine<T>::promise_type : ReturnPromise<T> {
  /// Returns the coroutine. This is the first function that the compiler calls.
  Coroutine get_return_object() {
    this->handle = std::coroutine_handle<promise_type>::from_promise(*this);
    return Coroutine(*this);
  }

  /// Does nothing, so `co_yield nothing` only ends the turn.
  Awaiter<void> yield_value(Nothing) { return {}; }
};
