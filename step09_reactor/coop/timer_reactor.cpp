#include "timer_reactor.hpp"

#include <thread>

#include "wait.hpp"

namespace coop {

void TimerReactor::tick(bool block) {
  if (block && !timers_.empty()) sleep_until(first_deadline());
  fire_due();
}

void TimerReactor::fire_due() {
  const Clock::time_point time = now();
  while (!timers_.empty() && timers_.begin()->first <= time) {
    timers_.begin()->second->fire();  // who is woken stops it, which takes it out
  }
}

void TimerReactor::start(Timer& timer) {
  timers_.emplace(timer.deadline(), &timer);
}

void TimerReactor::stop(Timer& timer) noexcept {
  const auto [first, last] = timers_.equal_range(timer.deadline());
  for (auto it = first; it != last; ++it) {
    if (it->second == &timer) {
      timers_.erase(it);
      return;
    }
  }
}

void TimerReactor::sleep_until(Clock::time_point time) {
  std::this_thread::sleep_until(time);
}

}  // namespace coop
