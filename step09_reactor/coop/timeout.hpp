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
  std::tuple<Coroutine<T>, Event*> things(std::move(body), end);
  auto first = co_await first_value<Values<Coroutine<T>, Event*>, std::array<Wait, 3>>(
      "timed out", where, std::move(things));
  if (first.index() == 1) throw TimedOut();
  if constexpr (!std::is_void_v<T>) co_return std::get<0>(std::move(first));
}

/// The body of with_timeout() for an event, which must live until then.
inline Coroutine<> wait_for(Event* event, Clock::duration time, std::source_location where) {
  Timer timer(time);
  const std::array<Event*, 2> events{event, &timer};
  const std::size_t first = co_await FirstOf<std::array<Wait, 2>>(events, where);
  if (first == 1) throw TimedOut();
}

/// Waits for an event, for that long at most. It must live until then.
inline Coroutine<> with_timeout(
    Clock::duration time, Event& event,
    const std::source_location& where = std::source_location::current()) {
  return wait_for(&event, time, where);
}

/// Waits for a temporary event, for that long at most.
inline Coroutine<> with_timeout(
    Clock::duration time, Event&& event,
    const std::source_location& where = std::source_location::current()) {
  return wait_for(&event, time, where);
}

/// Waits for the result of a task, for that long at most. The task is not cancelled then, because
/// others may wait for it.
template <typename T>
Coroutine<T> with_timeout(Clock::duration time, Handle<T> task,
                          std::source_location where = std::source_location::current()) {
  co_await wait_for(&*task, time, where);
  co_return co_await task;
}

}  // namespace coop
