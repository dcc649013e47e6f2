// Replaces the system calls of a server: calls about the network call Network.
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>

#include "network.hpp"

using Time = std::chrono::steady_clock::time_point;

namespace {

/// Moves an error into `errno`, like the C library.
template <typename T>
T result(T value) {
  if (value >= 0) return value;
  errno = static_cast<int>(-value);
  return -1;
}

bool is_ours(int number) {
  return Network::current && Network::is_ours(number);
}

}  // namespace

extern "C" {
ssize_t __real_read(int number, void* data, size_t size);
int __real_poll(pollfd* polled, nfds_t count, int timeout);
int __real_close(int number);
int __real_shutdown(int number, int how);

int __wrap_listen(int number, int) {
  return Network::current->listen(number);
}

int __wrap_accept4(int, sockaddr*, socklen_t*, int) {
  return result(Network::current->accept());
}

ssize_t __wrap_read(int number, void* data, size_t size) {
  if (!is_ours(number)) return __real_read(number, data, size);
  return result(Network::current->read(number, data, size));
}

ssize_t __wrap_send(int number, const void* data, size_t size, int) {
  return result(Network::current->send(number, data, size));
}

int __wrap_poll(pollfd* polled, nfds_t count, int timeout) {
  if (!Network::current) return __real_poll(polled, count, timeout);
  return result(Network::current->poll(polled, count, timeout));
}

int __wrap_shutdown(int number, int how) {
  return is_ours(number) ? 0 : __real_shutdown(number, how);
}

int __wrap_close(int number) {
  return Network::current && Network::current->close(number) ? 0 : __real_close(number);
}
}

// std::chrono::steady_clock::now()
Time wrapped_now() __asm__("__wrap__ZNSt6chrono3_V212steady_clock3nowEv");
Time real_now() __asm__("__real__ZNSt6chrono3_V212steady_clock3nowEv");

Time wrapped_now() {
  return Network::current ? Time(Network::current->now()) : real_now();
}
