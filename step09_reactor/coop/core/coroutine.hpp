#pragma once

#include <coroutine>
#include <memory>
#include <optional>
#include <source_location>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <variant>

#include "task.hpp"

namespace coop {

/// True for the coroutines that a task can run.
template <typename P>
constexpr bool runs_in_a_task = std::is_base_of_v<detail::Promise, P>;

/// The type of a result as an object: `std::monostate` for void.
template <typename T>
using Result = std::conditional_t<std::is_void_v<T>, std::monostate, T>;

/// A place for a result.
template <typename T>
using Stored = std::optional<Result<T>>;

/// A function object that may be a temporary in an expression that awaits. g++ 12 destroys the
/// captures of such a temporary twice, so a closure that owns something must have a name.
template <typename F>
concept SafeCallable =
    std::is_lvalue_reference_v<F> || std::is_trivially_destructible_v<std::remove_cvref_t<F>>;

/// The body of a task, or of a function that a task calls. Calling the function runs nothing. A
/// coroutine has one owner, which spawns, awaits or drops it. It runs only once: awaiting it
/// again throws `std::invalid_argument`.
///
/// `T result = co_await function();` calls it: it runs as a part of the task that awaits, without
/// the scheduler. An exception that it does not catch is thrown where it is awaited. For a task of
/// its own, see spawn().
template <typename T = void>
class [[nodiscard]] Coroutine {
 public:
  using value_type = T;  ///< the type of its result
  class promise_type;
  class Call;

  Call operator co_await() && { return Call(release()); }
  void operator co_await() & = delete;  // co_await std::move(it): a coroutine is awaited once

 private:
  friend class Scheduler;
  struct Destroy {
    void operator()(promise_type* frame) const { frame->handle().destroy(); }
  };

  explicit Coroutine(promise_type& frame) : frame_(&frame) {}

  /// Gives the frame to a task that runs it.
  promise_type& release() {
    if (!frame_) throw std::invalid_argument("A coroutine can run only once");
    return *frame_.release();
  }

  std::unique_ptr<promise_type, Destroy> frame_;
};

template <typename T>
class Coroutine<T>::promise_type : public detail::ReturnPromise<T> {
 public:
  Coroutine get_return_object() {
    static_assert(alignof(promise_type) ==
                  alignof(detail::Promise));  // or handle() would miss the frame
    return Coroutine(*this);
  }
};

/// The awaiter of a call. It is in the frame of the caller, and so is the result.
template <typename T>
class Coroutine<T>::Call {
 public:
  explicit Call(promise_type& callee) : callee_(callee) {}

  bool await_ready() const noexcept { return false; }

  template <typename P>
  void await_suspend(std::coroutine_handle<P> caller) noexcept {
    static_assert(runs_in_a_task<P>, "only a Coroutine can co_await a Coroutine");
    if constexpr (!std::is_void_v<T>) callee_.result = &result_;
    caller_ = &caller.promise();
    caller_->task->call(callee_, caller_);
  }

  T await_resume() {
    if (caller_->error) [[unlikely]]
      std::rethrow_exception(std::exchange(caller_->error, nullptr));
    if constexpr (!std::is_void_v<T>) return std::move(*result_);
  }

 private:
  promise_type& callee_;
  detail::Promise* caller_ = nullptr;
  Stored<T> result_;
};

}  // namespace coop
