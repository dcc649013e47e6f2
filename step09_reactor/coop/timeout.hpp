#pragma once

#include <exception>
#include <source_location>
#include <utility>

#include "any_of.hpp"
#include "timer.hpp"

namespace coop {

/// Runs `body` as a task of its own, for that long at most. Then it is cancelled, its end is
/// awaited, and TimedOut is thrown, even if it returns a result after all. If the caller is
/// cancelled, so is the body, unless it has returned a result already: then that is returned, and
/// the cancellation is thrown at the next wait. An error of the body is thrown instead of either.
///
/// TrueAsync: scope.
template <typename T>
Coroutine<T> with_timeout(Clock::duration time, Coroutine<T> body,
                          std::source_location where = std::source_location::current()) {
  Timer timer(time);
  Event* const end = &timer;
  auto first =
      co_await first_value<Values<Coroutine<T>, Event*>>("timed out", where, std::move(body), end);
  if (first.index() == 1) throw TimedOut();
  if constexpr (!std::is_void_v<T>) co_return std::get<0>(std::move(first));
}

}  // namespace coop
