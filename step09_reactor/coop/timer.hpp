#pragma once

#include <cstdint>
#include <source_location>

#include "core/scheduler.hpp"

namespace coop {

/// A point in time, counted from when the first task begins to wait for it. It can be waited for
/// again afterwards: then it counts anew.
///
/// TrueAsync: timer.
class Timer : public Event {
 public:
  /// Needs a running scheduler, whose reactor it uses.
  explicit Timer(Time after) : Timer(Scheduler::current().reactor(), after) {}

  /// `reactor` outlives it.
  Timer(Reactor& reactor, Time after) : reactor_(reactor), after_(after.length) {}

  /// Returns when it is due. Only a timer that a task waits for has a deadline.
  Clock::time_point deadline() const { return deadline_; }

  std::string description() const override { return "a timer"; }

 protected:
  void start() override {
    deadline_ = reactor_.now() + after_;
    reactor_.start(*this);
  }
  void stop() noexcept override { reactor_.stop(*this); }

 private:
  friend class Reactor;
  friend class TimerReactor;

  /// Is called by the reactor when the time has come.
  virtual void fire() { wake_all(); }

  Reactor& reactor_;
  Clock::duration after_;
  Clock::time_point deadline_{};
  std::uint64_t order_ = 0;  // among timers of one moment, the smallest fires first
};

inline void Reactor::fire(Timer& timer) {
  timer.fire();
}

/// Waits for that long, counted from now. For zero or less it is a yield().
inline Coroutine<> sleep(Time time, std::source_location where = std::source_location::current()) {
  if (time.length == Clock::duration::zero()) {
    co_await yield();
    co_return;
  }
  Timer timer(time);
  co_await EventAwaiter(timer, where);
}

/// `sleep(1)` would be the function of the system, which stops all tasks for a second.
Coroutine<> sleep(int) = delete;

}  // namespace coop
