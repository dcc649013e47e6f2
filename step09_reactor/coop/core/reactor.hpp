#pragma once

#include <chrono>

namespace coop {

/// The clock of all times: it never goes back.
using Clock = std::chrono::steady_clock;

/// A time to wait: any duration, but at most half of what Clock can count, which is 146 years.
struct Time {
  /// Takes any duration, without a cast: `sleep(10ms)`.
  template <typename Rep, typename Period>
  Time(std::chrono::duration<Rep, Period> time) {
    const std::chrono::duration<double> seconds = time;
    if (!(seconds.count() > 0)) {
      length = {};
    } else if (seconds < length) {
      length = std::chrono::ceil<Clock::duration>(time);
    }
  }

  Clock::duration length = Clock::duration::max() / 2;  ///< zero or more
};

class Timer;

/// The source of events from outside the program. The scheduler calls tick().
///
/// TrueAsync: two parts, poll or sleep.
class Reactor {
 public:
  virtual ~Reactor() = default;

  /// Delivers what has happened. If nothing has, waits for the first thing to happen, but not
  /// longer than to `until`. `Clock::time_point::min()` does not wait, and max() waits as long as
  /// it takes.
  virtual void tick(Clock::time_point until) = 0;

  /// Returns true if a started event can still happen.
  virtual bool active() const = 0;

  /// Returns the time. A reactor for tests may have a clock of its own.
  virtual Clock::time_point now() const = 0;

 protected:
  /// Wakes the tasks that wait for a timer, which stops it.
  static void fire(Timer& timer);

 private:
  friend class Timer;

  /// Calls `fire(timer)` in a tick after its deadline, unless it is stopped before.
  virtual void start(Timer& timer) = 0;

  /// Forgets a timer. It has no effect on one that has fired.
  virtual void stop(Timer& timer) noexcept = 0;
};

}  // namespace coop
