#include "timer_reactor.hpp"

#include <thread>

namespace coop {

void TimerReactor::tick(Clock::time_point until) {
  const Clock::time_point time = earliest(until);
  if (time > now()) sleep_until(time);
  fire_due();
}

void TimerReactor::fire_due() {
  const Clock::time_point time = now();
  while (!timers_.empty() && (*timers_.begin())->deadline() <= time) {
    fire(**timers_.begin());  // which stops it
  }
}

void TimerReactor::sleep_until(Clock::time_point time) {
  std::this_thread::sleep_until(time);
}

}  // namespace coop
