#pragma once

#include <array>
#include <chrono>
#include <coroutine>
#include <cstddef>
#include <source_location>
#include <stdexcept>
#include <string>

#include "scheduler.hpp"

namespace coop {

/// The awaiter of one event or several: gives which of them it was.
template <std::size_t N>
class Wait {
 public:
  Wait(std::array<Event*, N> events, const std::source_location& where)
      : events_(events), where_(where) {}

  bool await_ready() {
    for (; first_ready_ < N; ++first_ready_) {
      if (events_[first_ready_]->is_ready()) return true;
    }
    return false;
  }

  template <typename P>
  bool await_suspend(std::coroutine_handle<P> caller) {
    static_assert(runs_in_a_task<P>, "only a Coroutine can wait for an event");
    task_ = caller.promise().task;
    return task_->wait_for(events_, where_);
  }

  std::size_t await_resume() {
    if (!task_) return first_ready_;
    task_->throw_if_needed();
    return task_->woken_by();
  }

 private:
  std::array<Event*, N> events_;
  std::source_location where_;
  std::size_t first_ready_ = 0;
  Task* task_ = nullptr;
};

/// Waits until the event happens; not at all if it has happened already.
inline Wait<1> wait(Event& event,
                    const std::source_location& where = std::source_location::current()) {
  return Wait<1>({&event}, where);
}

/// Waits until one of two events happens, and gives which: 0 or 1. The other one is stopped.
inline Wait<2> wait_any(Event& first, Event& second,
                        const std::source_location& where = std::source_location::current()) {
  return Wait<2>({&first, &second}, where);
}

/// The awaiter of suspend().
class Yield {
 public:
  Yield() = default;
  bool await_ready() const noexcept { return false; }

  template <typename P>
  bool await_suspend(std::coroutine_handle<P> caller) {
    static_assert(runs_in_a_task<P>, "only a Coroutine can suspend");
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

/// Ends the turn: everybody else who is ready has one first.
inline Yield suspend() {
  return {};
}

/// A point in time, some while after a task starts to wait for it. It is for one wait at a time; a
/// second one is refused: `std::logic_error`.
///
/// TrueAsync page, rows 24 and 50 of the chapter's table.
class Timer final : public Event {
 public:
  /// `reactor` outlives it.
  Timer(Reactor& reactor, Clock::duration after) : reactor_(reactor), after_(after) {}

  Clock::time_point deadline() const { return deadline_; }

  /// For the reactor: the time has come.
  void fire() { waiter_->wake(*this); }

  bool is_ready() const override { return false; }
  void start(Task& waiter) override {
    if (waiter_) throw std::logic_error("This timer is being waited for already");
    const Clock::time_point now = reactor_.now();
    deadline_ = after_ < Clock::time_point::max() - now ? now + after_ : Clock::time_point::max();
    reactor_.start(*this);
    waiter_ = &waiter;
  }
  void stop(Task&) noexcept override {
    waiter_ = nullptr;
    reactor_.stop(*this);
  }
  std::string description() const override { return "a timer"; }

 private:
  Reactor& reactor_;
  Clock::duration after_;
  Clock::time_point deadline_{};
  Task* waiter_ = nullptr;
};

/// Waits for so long, counted from now.
inline Coroutine<> delay(Clock::duration time,
                         std::source_location where = std::source_location::current()) {
  Timer timer(Scheduler::current().reactor(), time);
  co_await wait(timer, where);
}

}  // namespace coop
