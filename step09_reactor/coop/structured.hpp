#pragma once

#include <exception>
#include <string>
#include <utility>

#include "wait.hpp"

namespace coop {

/// Holds off the cancellation of a task while it lives. A shutdown lifts it.
class Protection {
 public:
  explicit Protection(Task& task) : task_(task) { task_.protect(); }
  Protection(const Protection&) = delete;
  Protection& operator=(const Protection&) = delete;
  ~Protection() { task_.unprotect(); }

 private:
  Task& task_;
};

/// Runs `body` to its end, whatever cancels the task meanwhile: the cancellation comes at the next
/// place behind it where the task waits.
///
/// TrueAsync page, row 70 of the chapter's table.
template <typename T>
Coroutine<T> protect(Coroutine<T> body) {
  const Protection protection(current_task());
  co_return co_await std::move(body);
}

/// wait(), as a coroutine. The event outlives it.
inline Coroutine<> until(Event* event) {
  co_await wait(*event);
}

/// Runs `body`, then `cleanup`, whether the body returned, threw, or was cancelled; the clean-up
/// may wait, as a destructor cannot. It is protected. Then the result, or what the body threw; an
/// error of the clean-up takes its place.
///
/// TrueAsync page, row 71 of the chapter's table: a `finally` that may suspend.
template <typename T>
Coroutine<T> with_finally(Coroutine<T> body, Coroutine<> cleanup) {
  std::exception_ptr error;
  Stored<T> result;
  try {
    if constexpr (std::is_void_v<T>) {
      co_await std::move(body);
    } else {
      result = co_await std::move(body);
    }
  } catch (...) {
    error = std::current_exception();  // nothing can be awaited in here
  }
  {
    const Protection protection(current_task());  // protect() would need memory
    co_await std::move(cleanup);
  }
  if (error) std::rethrow_exception(error);
  if constexpr (!std::is_void_v<T>) co_return std::move(result).value();
}

/// Runs `body` as a task of its own, for so long at most: when the time is over, it is cancelled,
/// its end is awaited, and TimedOut is thrown. If the caller is cancelled, so is the body. An error
/// that leaves the body while it ends takes the place of either.
template <typename T>
Coroutine<T> with_timeout(Clock::duration time, Coroutine<T> body) {
  std::string reason = "the time is over";  // it shall need no memory then
  Handle<T> task = spawn(std::move(body));
  Timer timer(Scheduler::current().reactor(), time);
  std::exception_ptr error;
  try {
    const std::size_t which = co_await wait_any(*task, timer);
    if (which == 1 && !task->is_finished()) error = std::make_exception_ptr(TimedOut());
  } catch (...) {
    error = std::current_exception();
  }
  if (error) {
    task->cancel(std::move(reason));
    const Protection protection(current_task());
    try {
      co_await task;
    } catch (const Cancelled&) {  // as it should be
    }
    std::rethrow_exception(error);
  }
  co_return co_await task;
}

}  // namespace coop
