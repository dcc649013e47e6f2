#pragma once

#include <algorithm>
#include <cstdint>
#include <set>
#include <tuple>

#include "timer.hpp"

namespace coop {

/// A reactor for timers and nothing else. Two that are due at the same time fire in the order in
/// which they were started.
class TimerReactor : public Reactor {
 public:
  void tick(Clock::time_point until) override;
  bool active() const override { return !timers_.empty(); }
  Clock::time_point now() const override { return Clock::now(); }

 protected:
  /// Waits. A reactor for tests sets its clock instead.
  virtual void sleep_until(Clock::time_point time);

  /// Returns the first deadline of all timers, or `until`, if that is earlier.
  Clock::time_point earliest(Clock::time_point until) const {
    return timers_.empty() ? until : std::min(until, (*timers_.begin())->deadline());
  }

  /// Fires the timers that are due.
  void fire_due();

 private:
  void start(Timer& timer) override {
    timer.order_ = ++started_;
    timers_.insert(timers_.end(), &timer);  // the hint is right if all take the same time
  }
  void stop(Timer& timer) noexcept override { timers_.erase(&timer); }

  struct Earlier {
    bool operator()(const Timer* a, const Timer* b) const {
      return std::tuple(a->deadline(), a->order_) < std::tuple(b->deadline(), b->order_);
    }
  };

  std::set<Timer*, Earlier, detail::PoolAllocator<Timer*>> timers_;
  std::uint64_t started_ = 0;
};

}  // namespace coop
