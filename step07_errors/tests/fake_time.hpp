#pragma once

#include <poll.h>
#include <sys/syscall.h>
#include <unistd.h>

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

extern "C" int clock_gettime(clockid_t clock, timespec* time) noexcept {
  if (!FakeTime::is_on || clock != CLOCK_MONOTONIC)
    return static_cast<int>(::syscall(SYS_clock_gettime, clock, time));
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(FakeTime::now);
  *time = {seconds.count(), (FakeTime::now - seconds).count()};
  return 0;
}

extern "C" int poll(pollfd* sockets, nfds_t count, int timeout) {
  FakeTime::timeouts.push_back(timeout);
  const timespec limit{timeout / 1000, timeout % 1000 * 1000000L}, none{};
  if (!FakeTime::is_on) return ::ppoll(sockets, count, timeout < 0 ? nullptr : &limit, nullptr);
  const int ready = ::ppoll(sockets, count, &none, nullptr);
  if (ready == 0 && timeout < 0) throw std::logic_error("poll() waits, and nothing will happen");
  if (ready == 0) FakeTime::now += std::chrono::milliseconds(timeout);
  return ready;
}
