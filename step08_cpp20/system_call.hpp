#pragma once

#include <any>
#include <concepts>
#include <coroutine>
#include <stdexcept>
#include <type_traits>
#include <utility>

#include "coroutine.hpp"

/// A request whose answer is a `T`: `T answer = co_await call;`. It takes one turn. The answer is
/// what the request sets with Task::set_send_value(), which must be exactly a `T`; the exception
/// that it throws is thrown here. Awaiting it twice is a `std::logic_error`.
///
/// Article: "Communicating with the scheduler", class SystemCall.
template <typename T = void>
class [[nodiscard]] SystemCall {
 public:
  template <std::invocable<Task&, Scheduler&> Function>
  SystemCall(Function request) : request_(std::move(request)) {}

  bool await_ready() const {
    if (!request_) throw std::logic_error("This system call was made before");
    return false;
  }

  template <typename Promise>
  void await_suspend(std::coroutine_handle<Promise> caller) {
    static_assert(runs_in_a_task<Promise>, "only a Coroutine can co_await a system call");
    stack_ = caller.promise().stack;
    stack_->yield(std::move(request_));
  }

  T await_resume() const {
    Value answer = stack_->take_sent();
    if constexpr (std::is_same_v<T, Value>)
      return answer;
    else if constexpr (!std::is_void_v<T>)
      return std::any_cast<T>(std::move(answer));
  }

 private:
  Request request_;
  TaskStack* stack_ = nullptr;
};
