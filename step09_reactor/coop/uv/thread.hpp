#pragma once

#include <functional>
#include <future>
#include <memory>
#include <source_location>
#include <type_traits>
#include <utility>

#include "uv_event.hpp"

namespace coop::detail {

/// Runs `function`, which must not throw, in a thread of libuv's pool, which has four, and waits
/// for it. The function is destroyed in this thread.
Coroutine<> run_in_thread(std::function<void()> function, std::source_location where);

/// blocking(), after the function has been copied.
template <typename Function, typename Result = std::invoke_result_t<Function&>>
Coroutine<Result> run_copy(Function function, std::source_location where) {
  const auto work = std::make_shared<std::packaged_task<Result()>>(std::move(function));
  std::future<Result> result = work->get_future();
  std::function<void()> calling = [work] { (*work)(); };
  co_await run_in_thread(std::move(calling), where);
  co_return result.get();
}

}  // namespace coop::detail

namespace coop {

/// Lets another thread wake tasks of this one: `co_await trigger;` wakes all tasks that wait, or
/// ends at once if the trigger was sent before. Several sends may count as one, so a trigger says
/// that there is something to see, but not what. See also UvReactor::post().
///
/// TrueAsync: trigger.
class Trigger final : public LatchedEvent<uv_async_t> {
 public:
  Trigger();

  /// May be called from any thread while the trigger and its reactor live.
  void send() {
    if (handle_) uv_async_send(handle_.get());
  }
};

/// Runs a copy of `function` in another thread, for example a long computation, or a call that
/// blocks. Meanwhile, the other tasks take their turns. Returns what the function returns, or
/// throws what it throws. If the task is cancelled after the function has begun, the function runs
/// to its end, so all that it refers to must live that long. See SafeCallable for a lambda with
/// captures.
///
/// TrueAsync: thread.
template <SafeCallable Function>
auto blocking(Function&& function, std::source_location where = std::source_location::current()) {
  return detail::run_copy<std::remove_cvref_t<Function>>(function, where);
}

}  // namespace coop
