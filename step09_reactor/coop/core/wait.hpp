#pragma once

#include <coroutine>
#include <cstddef>
#include <cstdint>
#include <source_location>
#include <span>
#include <string>

#include "coroutine.hpp"

namespace coop {

/// The awaiter of one event: `co_await EventAwaiter(event, where);` is `co_await event;` with the
/// line of another place for the report of a deadlock. A coroutine of a library uses it to name the
/// line of the program that called it. FirstOf is the one for several events.
class EventAwaiter {
 public:
  /// `event` must live until it has happened.
  explicit EventAwaiter(Event& event, const std::source_location& at = {}) : where_(at) {
    wait_.event = &event;
  }
  EventAwaiter(const EventAwaiter&) = delete;
  EventAwaiter& operator=(const EventAwaiter&) = delete;

  bool await_ready() const { return wait_.event->is_ready(); }

  /// An operator cannot record the line where it is used, but this function can.
  template <typename P>
  bool await_suspend(std::coroutine_handle<P> caller,
                     const std::source_location& here = std::source_location::current()) {
    static_assert(runs_in_a_task<P>, "only a Coroutine can wait for an event");
    if (where_.line() == 0) where_ = here;
    wait_.task = caller.promise().task;
    return wait_.task->wait_for(*this);
  }

  void await_resume() {
    if (wait_.task) wait_.task->throw_if_needed();
  }

  const std::source_location& where() const { return where_; }  ///< the line that waits
  std::string description() const;  ///< of its events, for example "task 3 or a timer"

 protected:
  /// For several events, of which the derived class has the waits.
  EventAwaiter(const std::source_location& at, detail::TaskGroup* cancels)
      : where_(at), cancels_(cancels) {}

  detail::Wait* waits_ = &wait_;
  std::uint32_t count_ = 1;
  std::uint32_t first_ = 0;

 private:
  friend class Task;

  std::span<detail::Wait> waits() const { return {waits_, count_}; }  // one for each event

  /// Remembers which wait has ended first.
  void set_first(const detail::Wait& wait) { first_ = static_cast<std::uint32_t>(&wait - waits_); }

  detail::Wait wait_;  // of several events, only its task is used
  std::source_location where_;
  detail::TaskGroup* cancels_ = nullptr;  // the group whose tasks are cancelled when the wait ends
};

/// `co_await event;` waits until the event happens, and not at all if it has happened already.
inline EventAwaiter operator co_await(Event& event) {
  return EventAwaiter(event);
}
inline EventAwaiter operator co_await(Event&& event) {
  return EventAwaiter(event);
}

namespace detail {

/// The awaiter of any_of() for events. `Waits` is an array or a vector. The result is the index of
/// the first event that has happened. If some of them are tasks of a group, all its tasks are
/// cancelled when the wait ends, by an event or by a cancellation, before one of them has another
/// turn. So a task that would take a value in its next turn leaves it where it is.
template <typename Waits>
class FirstOf : public EventAwaiter {
 public:
  explicit FirstOf(std::span<Event* const> events, const std::source_location& at = {},
                   TaskGroup* cancels = nullptr)
      : EventAwaiter(at, cancels) {
    if constexpr (requires { all_.resize(0); }) all_ = Waits(events.size());
    for (std::size_t i = 0; i < events.size(); ++i) all_[i].event = events[i];
    waits_ = all_.data();
    count_ = static_cast<std::uint32_t>(all_.size());
  }

  bool await_ready() {
    for (first_ = 0; first_ < count_; ++first_) {
      if (waits_[first_].event->is_ready()) return true;
    }
    return false;
  }

  std::size_t await_resume() {
    EventAwaiter::await_resume();
    return first_;
  }

  bool is_decided() const { return first_ < count_; }  ///< also if an error came
  std::size_t index() const { return first_; }         ///< the result of the wait

 private:
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
    if (frame_->must_check) [[unlikely]]
      return frame_->task->yield();
    return frame_->yields = true;
  }

  void await_resume() {
    if (frame_->must_check) [[unlikely]]
      frame_->task->throw_what_came();
  }

 private:
  Promise* frame_ = nullptr;
};

}  // namespace detail

/// Ends the turn: all other tasks that are ready have a turn before this task continues.
inline detail::Yield yield() {
  return {};
}

}  // namespace coop
