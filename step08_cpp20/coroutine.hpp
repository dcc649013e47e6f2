#pragma once

#include <any>
#include <coroutine>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <type_traits>
#include <utility>

#include "stack.hpp"

class Scheduler;
class Task;

/// What is sent into a task: anything, or an empty one for nothing.
using Value = std::any;

/// What a task yields to the scheduler: a request, a function that the scheduler runs for it, with
/// the task that asked. The task does not go on by itself; the request schedules it, now or later.
/// An empty one asks for nothing but another turn.
///
/// Article: "Communicating with the scheduler", class SystemCall.
using Request = std::function<void(Task&, Scheduler&)>;

/// The coroutines of a task: requests come out, answers go in.
using TaskStack = Stack<Request, Value>;

/// True for the coroutines that a task can run.
template <typename Promise>
constexpr bool runs_in_a_task = std::is_base_of_v<PromiseBase<Request, Value>, Promise>;

/// The part of a coroutine's promise that depends on what it returns: `co_return value;` puts the
/// value into the frame of the caller.
template <typename T>
class Returning : public PromiseBase<Request, Value> {
 public:
  std::optional<T>* result = nullptr;
  void return_value(T value) { *result = std::move(value); }
};

/// The same, for one that returns nothing.
template <>
class Returning<void> : public PromiseBase<Request, Value> {
 public:
  void return_void() const noexcept {}
};

/// The body of a task, or a part of it: `T result = co_await part();` calls it. Any function that
/// returns this and says `co_await`, `co_yield nothing` or `co_return` is one.
///
/// Calling the function only makes the coroutine; nothing of it runs before it is awaited, or is
/// the body of a task that has its first turn. It can be moved, and awaited once: awaiting none,
/// one that has been moved away or awaited before, throws `std::invalid_argument`. Calls and
/// returns take no turn. An exception that leaves the coroutine is thrown where it is awaited.
///
/// Article: "Cooperative multitasking" and "Stacked coroutines".
template <typename T = void>
class [[nodiscard]] Coroutine {
 public:
  class promise_type;
  class Call;

  /// No coroutine.
  Coroutine() = default;

  Call operator co_await() && { return Call(release()); }
  void operator co_await() & = delete;  // co_await std::move(it): a coroutine is awaited once

  /// Gives the coroutine away, to a stack that calls it at once.
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

/// What the compiler asks when it meets a function that returns a Coroutine.
template <typename T>
class Coroutine<T>::promise_type : public Returning<T> {
 public:
  Coroutine get_return_object() {
    this->handle = std::coroutine_handle<promise_type>::from_promise(*this);
    return Coroutine(*this);
  }

  /// `co_yield nothing;` ends the turn.
  Suspended<Request, Value> yield_value(Nothing) {
    this->stack->yield(Request());
    return Suspended(*this->stack);
  }
};

/// The awaiter of a call. It lives in the frame of the caller, and so does the result.
template <typename T>
class Coroutine<T>::Call {
 public:
  explicit Call(promise_type& callee) : callee_(callee) {}

  bool await_ready() const noexcept { return false; }

  template <typename Promise>
  void await_suspend(std::coroutine_handle<Promise> caller) {
    static_assert(runs_in_a_task<Promise>, "only a Coroutine can co_await a Coroutine");
    if constexpr (!std::is_void_v<T>) callee_.result = &result_;
    stack_ = caller.promise().stack;
    stack_->push(callee_);
  }

  T await_resume() {
    stack_->take_sent();  // nothing was sent, but an exception may have left the callee
    if constexpr (!std::is_void_v<T>) return std::move(result_).value();
  }

 private:
  promise_type& callee_;
  TaskStack* stack_ = nullptr;
  std::optional<std::conditional_t<std::is_void_v<T>, Nothing, T>> result_;
};

/// A stack for the calls of a task, with its body in it.
inline std::shared_ptr<TaskStack> stacked(Coroutine<> body) {
  auto stack = std::make_shared<TaskStack>();
  stack->push(body.release());
  return stack;
}
