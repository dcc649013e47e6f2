#pragma once

#include <exception>
#include <source_location>
#include <utility>

#include "any_of.hpp"
#include "timer.hpp"

namespace coop {

/// Runs `body` as a task of its own, for that long at most. Then it is cancelled, its end is
/// awaited, and TimedOut is thrown, even if it returns a result after all. If the caller is
/// cancelled, so is the body. An error of the body is thrown instead of either.
///
/// TrueAsync: scope.
template <typename T>
Coroutine<T> with_timeout(Clock::duration time, Coroutine<T> body,
                          std::source_location where = std::source_location::current()) {
  Timer timer(time);
  Scope scope;
  const Handle<T> task = scope.spawn(std::move(body), where);
  const std::array<Event*, 2> events{&*task, &timer};
  std::exception_ptr error;
  try {
    co_await FirstOf<std::array<Wait, 2>>(events, where);
    if (!task->is_finished()) error = std::make_exception_ptr(TimedOut());
  } catch (...) {
    error = std::current_exception();
  }
  if (error) scope.cancel(is_cancellation(error) ? "cancelled" : "timed out");
  co_await scope.join_after(error, where);
  if constexpr (std::is_void_v<T>) {
    task.take();  // throws, if the body was cancelled
  } else {
    co_return task.take();
  }
}

}  // namespace coop
