#pragma once

#include <dlfcn.h>
#include <poll.h>

#include <chrono>
#include <ctime>
#include <stdexcept>
#include <vector>

// Two functions of the system, replaced in the whole test program: include this in one file only.

/// While an object of this class exists, the clock stands still. A poll(2) that would wait moves
/// it by its timeout and returns immediately. So a test of a minute takes no time, and is exact.
class FakeTime {
 public:
  FakeTime() { is_on = true; }
  FakeTime(const FakeTime&) = delete;
  ~FakeTime() { is_on = false; }

  static inline std::vector<int> timeouts;  ///< of the calls of poll(2), also outside
  static inline bool is_on = false;
  static inline std::chrono::nanoseconds now = std::chrono::hours(1);  ///< since the boot
};

std::chrono::steady_clock::time_point std::chrono::steady_clock::now() noexcept {
  if (FakeTime::is_on) return time_point(FakeTime::now);
  timespec time{};
  ::clock_gettime(CLOCK_MONOTONIC, &time);
  return time_point(chrono::seconds(time.tv_sec) + chrono::nanoseconds(time.tv_nsec));
}

extern "C" int poll(pollfd* sockets, nfds_t count, int timeout) {
  FakeTime::timeouts.push_back(timeout);
  static const auto real_poll = reinterpret_cast<decltype(&::poll)>(::dlsym(RTLD_NEXT, "poll"));
  if (!FakeTime::is_on) return real_poll(sockets, count, timeout);
  const int ready = real_poll(sockets, count, 0);
  if (ready == 0 && timeout < 0) throw std::logic_error("poll() waits, and nothing will happen");
  if (ready == 0) FakeTime::now += std::chrono::milliseconds(timeout);
  return ready;
}
