#pragma once

#include <chrono>

namespace coop {

/// What time is counted by: it never goes back.
using Clock = std::chrono::steady_clock;

class Timer;

/// Where events from outside of the program come from. The scheduler asks it when it has nothing
/// else to do, and now and then in between.
///
/// TrueAsync page, rows 1 and 60 to 61 of the chapter's table.
class Reactor {
 public:
  virtual ~Reactor() = default;

  /// Delivers what has happened. With `block` it waits for the first thing to happen, if anything
  /// can: see active().
  virtual void tick(bool block) = 0;

  /// Is anything started that can still happen?
  virtual bool active() const = 0;

  virtual Clock::time_point now() const = 0;

  virtual void start(Timer& timer) = 0;
  virtual void stop(Timer& timer) noexcept = 0;
};

}  // namespace coop
