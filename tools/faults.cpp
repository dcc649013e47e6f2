// Linked into a second build of a server program, in front of the system calls it makes (the
// linker's --wrap). The variable FAULTS says what goes wrong: "accept4:103:3" makes the first three
// calls of accept4 fail with errno 103; "send:short" writes one byte at a time; "poll:deaf": no
// peer ever takes anything; "clock:1000": seconds are milliseconds; "clock:stopped": no time
// passes.
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

namespace {

struct Fault {
  explicit Fault(const char* call) {
    const char* const faults = std::getenv("FAULTS");
    const char* const mine = faults ? std::strstr(faults, call) : nullptr;
    if (!mine) return;
    if (std::strncmp(mine + std::strlen(call), ":short", 6) == 0) is_short = true;
    if (std::strncmp(mine + std::strlen(call), ":deaf", 5) == 0) is_deaf = true;
    if (std::strncmp(mine + std::strlen(call), ":stopped", 8) == 0) is_stopped = true;
    std::sscanf(mine + std::strlen(call), ":%d:%d", &error, &times);
  }

  bool happens() {
    if (error == 0 || times == 0) return false;
    --times;
    errno = error;
    return true;
  }

  int error = 0, times = 0;
  bool is_short = false, is_deaf = false, is_stopped = false;
};

/// How much faster than the others this program's clock is.
int haste() {
  static const Fault fault("clock");
  if (fault.is_stopped) return 0;
  return fault.error == 0 ? 1 : fault.error;
}

}  // namespace

extern "C" {
int __real_accept4(int fd, sockaddr* address, socklen_t* size, int flags);
ssize_t __real_read(int fd, void* data, size_t size);
ssize_t __real_send(int fd, const void* data, size_t size, int flags);
int __real_poll(pollfd* polled, nfds_t count, int timeout);

int __wrap_accept4(int fd, sockaddr* address, socklen_t* size, int flags) {
  static Fault fault("accept4");
  return fault.happens() ? -1 : __real_accept4(fd, address, size, flags);
}

ssize_t __wrap_read(int fd, void* data, size_t size) {
  static Fault fault("read");
  return fault.happens() ? -1 : __real_read(fd, data, size);
}

ssize_t __wrap_send(int fd, const void* data, size_t size, int flags) {
  static Fault fault("send");
  if (fault.is_short && size > 1) size = 1;
  return fault.happens() ? -1 : __real_send(fd, data, size, flags);
}

int __wrap_poll(pollfd* polled, nfds_t count, int timeout) {
  static Fault fault("poll");
  for (nfds_t i = 0; fault.is_deaf && i < count; ++i) polled[i].events &= ~POLLOUT;
  if (timeout > 0) timeout = haste() == 0 ? -1 : timeout / haste() + 1;
  return fault.happens() ? -1 : __real_poll(polled, count, timeout);
}
}

/// std::chrono::steady_clock::now()
using Time = std::chrono::steady_clock::time_point;
Time real_now() __asm__("__real__ZNSt6chrono3_V212steady_clock3nowEv");
Time wrapped_now() __asm__("__wrap__ZNSt6chrono3_V212steady_clock3nowEv");

Time wrapped_now() {
  static const Time start = real_now();
  return start + (real_now() - start) * haste();
}
