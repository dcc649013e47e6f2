#pragma once

#include <coroutine>
#include <cstddef>
#include <source_location>
#include <span>

#include "coroutine.hpp"

namespace coop {

/// The part of an awaiter that waits for the first of its events.
class EventsAwaiter : protected Waiting {
 public:
  EventsAwaiter(const EventsAwaiter&) = delete;
  EventsAwaiter& operator=(const EventsAwaiter&) = delete;

  bool await_ready() {
    for (first = 0; first < waits.size(); ++first) {
      if (waits[first].event->is_ready()) return true;
    }
    return false;
  }

  /// An operator cannot record the line where it is used, but this function can.
  template <typename P>
  bool await_suspend(std::coroutine_handle<P> caller,
                     const std::source_location& here = std::source_location::current()) {
    static_assert(runs_in_a_task<P>, "only a Coroutine can wait for an event");
    if (where.line() == 0) where = here;
    task_ = caller.promise().task;
    return task_->wait_for(*this);
  }

  std::size_t await_resume() {
    if (task_) task_->throw_if_needed();
    return first;
  }

 protected:
  explicit EventsAwaiter(const std::source_location& at) { where = at; }

 private:
  Task* task_ = nullptr;
};

/// The awaiter of one event: `co_await EventAwaiter(event, where);` is `co_await event;` with the
/// line of another place for the report of a deadlock. A coroutine of a library uses it to name the
/// line of the program that called it.
class EventAwaiter : public EventsAwaiter {
 public:
  /// `event` must live until it has happened.
  explicit EventAwaiter(Event& event, const std::source_location& at = {}) : EventsAwaiter(at) {
    waits = {&wait_, 1};
    wait_.event = &event;
  }

  bool await_ready() const { return wait_.event->is_ready(); }
  void await_resume() { EventsAwaiter::await_resume(); }

 private:
  Wait wait_;
};

/// `co_await event;` waits until the event happens, and not at all if it has happened already.
inline EventAwaiter operator co_await(Event& event) {
  return EventAwaiter(event);
}
inline EventAwaiter operator co_await(Event&& event) {
  return EventAwaiter(event);
}

/// The awaiter of any_of() for events. `Waits` is an array or a vector. The result is the index of
/// the first event that has happened.
template <typename Waits>
class FirstOf : public EventsAwaiter {
 public:
  explicit FirstOf(std::span<Event* const> events, const std::source_location& at = {})
      : EventsAwaiter(at) {
    if constexpr (requires { all_.resize(0); }) all_ = Waits(events.size());
    for (std::size_t i = 0; i < events.size(); ++i) all_[i].event = events[i];
    waits = all_;
  }

 protected:
  Waits all_;
};

/// The awaiter of yield().
class Yield {
 public:
  Yield() = default;
  bool await_ready() const noexcept { return false; }

  template <typename P>
  bool await_suspend(std::coroutine_handle<P> caller) {
    static_assert(runs_in_a_task<P>, "only a Coroutine can yield");
    frame_ = &caller.promise();
    if (frame_->attention) [[unlikely]]
      return frame_->task->yield();
    return frame_->yields = true;
  }

  void await_resume() {
    if (frame_->attention) [[unlikely]]
      frame_->task->throw_what_came();
  }

 private:
  Promise* frame_ = nullptr;
};

/// Ends the turn: all other tasks that are ready have a turn before this task continues.
inline Yield yield() {
  return {};
}

}  // namespace coop
