#pragma once

#include <array>
#include <exception>
#include <source_location>
#include <type_traits>
#include <utility>

#include "scope.hpp"
#include "timer.hpp"

namespace coop::detail {

/// Cancels a scope when its time is over, unless its tasks have finished or were cancelled before.
class Deadline final : public Timer {
 public:
  /// The scope, whose group this is, lives as long as this.
  Deadline(Time after, TaskGroup& group) : Timer(after), group_(group) { start(); }
  ~Deadline() override {
    if (is_running_) stop();
  }

  /// Throws TimedOut if it has cancelled the scope, or the cancellation of the task that runs, if
  /// the body was cancelled.
  void check(const Task& body) const {
    if (has_passed_) throw TimedOut();
    if (body.is_cancelled()) this_task().throw_if_needed();
  }

 private:
  void fire() override {
    stop();
    is_running_ = false;
    has_passed_ = !group_.tasks.empty() && !group_.cancellation;
    if (has_passed_) group_.cancel(std::make_exception_ptr(Cancelled("timed out")));
  }

  TaskGroup& group_;
  bool is_running_ = true;
  bool has_passed_ = false;
};

/// The body of with_timeout() for an event, which must live until then.
inline Coroutine<> wait_for(Event* event, Time time, std::source_location where) {
  Timer timer(time);
  const std::array<Event*, 2> events{event, &timer};
  const std::size_t first = co_await FirstOf<std::array<Wait, 2>>(events, where);
  if (first == 1) throw TimedOut();
}

}  // namespace coop::detail

namespace coop {

/// Runs `body` as a task of its own, for that long at most. Then it is cancelled, its end is
/// awaited, and TimedOut is thrown, even if it returns a result after all. If the caller is
/// cancelled, so is the body, unless it has returned a result already: then that is returned, and
/// the cancellation is thrown at the next wait. An error of the body is thrown instead of either.
///
/// TrueAsync: scope.
template <typename T>
Coroutine<T> with_timeout(Time time, Coroutine<T> body,
                          std::source_location where = std::source_location::current()) {
  detail::LibraryScope scope;
  const Handle<T> task = scope.spawn(std::move(body), where);
  const detail::Deadline deadline(time, scope.group());
  co_await scope.join_as(true, where);
  deadline.check(*task);
  co_return T(detail::take(task));
}

/// Waits for an event, for that long at most. It must live until then.
template <typename AnEvent>
  requires std::is_base_of_v<Event, std::remove_reference_t<AnEvent>>
Coroutine<> with_timeout(Time time, AnEvent&& event,
                         const std::source_location& where = std::source_location::current()) {
  return detail::wait_for(&event, time, where);
}

/// Waits for the result of a task, for that long at most. The task is not cancelled then, because
/// others may wait for it.
template <typename T>
Coroutine<T> with_timeout(Time time, Handle<T> task,
                          std::source_location where = std::source_location::current()) {
  co_await detail::wait_for(&*task, time, where);
  co_return co_await task;
}

}  // namespace coop
