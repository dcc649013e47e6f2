#pragma once

#include <map>

#include "reactor.hpp"

namespace coop {

/// A reactor for timers and nothing else. Two that are due at the same time fire in the order in
/// which they were started.
class TimerReactor : public Reactor {
 public:
  void tick(bool block) override;
  bool active() const override { return !timers_.empty(); }
  Clock::time_point now() const override { return Clock::now(); }
  void start(Timer& timer) override;
  void stop(Timer& timer) noexcept override;

 protected:
  virtual void sleep_until(Clock::time_point time);

  /// Of the timers that have been started. There must be one.
  Clock::time_point first_deadline() const { return timers_.begin()->first; }

  /// Fires the timers whose time has come.
  void fire_due();

 private:
  std::multimap<Clock::time_point, Timer*> timers_;
};

}  // namespace coop
