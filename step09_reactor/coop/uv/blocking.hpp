#pragma once

#include <exception>
#include <functional>
#include <memory>
#include <source_location>
#include <type_traits>
#include <utility>

#include "request.hpp"

namespace coop {

/// What a function that runs in another thread needs, and leaves.
struct Work {
  std::function<void()> function;
  std::exception_ptr error;
};

/// Runs `function` in a thread of libuv's pool, of which there are four, and waits for it. The
/// error that leaves it comes out of this.
Coroutine<> run_in_thread(std::function<void()> function,
                          std::source_location where = std::source_location::current());

/// Runs `function` in another thread, for what takes long and cannot wait: computing, or a call
/// that blocks. The other tasks go on meanwhile. Gives what it returns, or throws what it throws.
/// It cannot be stopped once it has begun: if the task is cancelled, it runs on, and what it refers
/// to must live as long. `function` can be copied.
///
/// TrueAsync page, row 55 of the chapter's table.
template <typename Function>
Coroutine<std::invoke_result_t<Function&>> blocking(
    Function function, std::source_location where = std::source_location::current()) {
  using Result = std::invoke_result_t<Function&>;
  if constexpr (std::is_void_v<Result>) {
    co_await run_in_thread(std::move(function), where);
  } else {
    const auto result = std::make_shared<std::optional<Result>>();
    std::function<void()> storing = [result, work = std::move(function)]() mutable {
      *result = work();
    };
    co_await run_in_thread(std::move(storing), where);
    co_return std::move(*result).value();
  }
}

}  // namespace coop
