#pragma once

#include <exception>
#include <utility>

#include "core/scheduler.hpp"

namespace coop {

/// Delays the cancellation of the running task while it lives. A shutdown lifts it.
class Protection {
 public:
  Protection() : task_(this_task()), is_outermost_(!std::exchange(task_.protected_, true)) {}
  Protection(const Protection&) = delete;
  Protection& operator=(const Protection&) = delete;
  ~Protection() {
    if (is_outermost_) task_.protected_ = false;
  }

 private:
  Task& task_;
  bool is_outermost_;
};

/// Runs `body` to its end, even if the task is cancelled meanwhile. The cancellation is thrown
/// where the task waits the next time. (This is not `asyncio.shield`, whose caller is cancelled at
/// once.)
///
/// TrueAsync: cancel all.
template <typename T>
Coroutine<T> protect(Coroutine<T> body) {
  const Protection protection;
  co_return co_await std::move(body);
}

/// Runs `body`, then `cleanup`, whether the body has returned, thrown, or was cancelled. The
/// clean-up may wait, unlike a destructor. It is protected. Returns the result, or throws what the
/// body threw; an error of the clean-up is thrown instead. If it is spawned, and cancelled before
/// its first turn, neither of them runs.
///
/// TrueAsync: finally blocks.
template <typename T>
Coroutine<T> with_finally(Coroutine<T> body, Coroutine<> cleanup) {
  std::exception_ptr error;
  Stored<T> result;
  try {
    if constexpr (std::is_void_v<T>) {
      co_await std::move(body);
    } else {
      T value = co_await std::move(body);
      result.emplace(std::move(value));
    }
  } catch (...) {
    error = std::current_exception();  // nothing can be awaited in here
  }
  {
    const Protection protection;  // protect() would need memory
    co_await std::move(cleanup);
  }
  if (error) std::rethrow_exception(error);
  if constexpr (!std::is_void_v<T>) co_return std::move(*result);
}

}  // namespace coop
