#pragma once

#include <array>
#include <exception>
#include <source_location>
#include <type_traits>
#include <utility>

#include "scope.hpp"
#include "timer.hpp"

namespace coop {

/// Cancels a scope when its time is over, unless its tasks have finished or were cancelled before.
class Deadline final : public Timer {
 public:
  /// The scope lives as long as this.
  Deadline(Clock::duration after, Scope& scope) : Timer(after), group_(scope.group()) { start(); }
  Deadline(const Deadline&) = delete;
  Deadline& operator=(const Deadline&) = delete;
  ~Deadline() override {
    if (is_running_) stop();
  }

  void fire() override {
    stop();
    is_running_ = false;
    has_passed_ = !group_.tasks.empty() && !group_.cancellation;
    if (has_passed_) group_.cancel(std::make_exception_ptr(Cancelled("timed out")));
  }

  /// Returns true if it has cancelled the scope.
  bool has_passed() const { return has_passed_; }

 private:
  TaskGroup& group_;
  bool is_running_ = true;
  bool has_passed_ = false;
};

/// Runs `body` as a task of its own, for that long at most. Then it is cancelled, its end is
/// awaited, and TimedOut is thrown, even if it returns a result after all. If the caller is
/// cancelled, so is the body, unless it has returned a result already: then that is returned, and
/// the cancellation is thrown at the next wait. An error of the body is thrown instead of either.
///
/// TrueAsync: scope.
template <typename T>
Coroutine<T> with_timeout(Clock::duration time, Coroutine<T> body,
                          std::source_location where = std::source_location::current()) {
  Scope scope;
  const Handle<T> task = scope.spawn(std::move(body), where);
  const Deadline deadline(time, scope);
  co_await scope.join_as(true, where);
  if (deadline.has_passed()) throw TimedOut();
  if (task->is_cancelled()) current_task().throw_if_needed();
  if constexpr (std::is_void_v<T>) {
    task.take();
  } else {
    co_return task.take();
  }
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
