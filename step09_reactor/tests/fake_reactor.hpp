#pragma once

#include <algorithm>

#include "coop/timer_reactor.hpp"

/// A reactor whose time stands still until somebody waits for it: tests need no real time.
class FakeReactor : public coop::TimerReactor {
 public:
  coop::Clock::time_point now() const override { return now_; }

  /// As if the program had computed for so long.
  void pass(coop::Clock::duration time) { now_ += time; }

 protected:
  void sleep_until(coop::Clock::time_point time) override { now_ = std::max(now_, time); }

 private:
  coop::Clock::time_point now_{};
};
