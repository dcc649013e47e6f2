// The functions that a server and libuv call instead of those of the C library. They call the
// system, but with Unix sockets, whose data arrive at once, and they let some calls fail with an
// error that the server has to expect.
#include <netinet/in.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <ctime>

#include "visit.hpp"
#include "wrong.hpp"

namespace {

bool is_on_network(int number) {
  int type = 0;
  socklen_t size = sizeof type;
  return Visit::current && ::getsockopt(number, SOL_SOCKET, SO_TYPE, &type, &size) == 0;
}

unsigned char next_choice() {
  if (!Visit::current || Visit::current->choices.remaining_bytes() == 0) return 0;
  return Visit::current->choices.ConsumeIntegral<unsigned char>();
}

/// Returns true if a call must fail, and sets `errno` to this error or to EINTR.
bool fails(unsigned char choice, int error) {
  errno = choice % 2 == 0 ? error : EINTR;
  return choice >= 0xf8;
}

/// Sends or receives, but sometimes sends only the first bytes. The system never receives fewer
/// bytes than there are, and libuv relies on this.
ssize_t transfer(long call, int number, const void* data, std::size_t size, int flags) {
  const unsigned char choice = next_choice();
  if (Visit::current) Visit::current->idle_polls = 0;
  if (fails(choice, EAGAIN)) return -1;
  if (call == SYS_sendto && choice >= 0xc0) size = std::min<std::size_t>(size, choice - 0xbf);
  return ::syscall(call, number, data, size, flags, nullptr, nullptr);
}

/// Calls `poll` until something has happened. Time passes only if nothing is left to happen.
template <typename Poll>
int wait(int timeout, Poll poll) {
  Visit* const visit = Visit::current;
  if (!visit) return poll(timeout);
  if (++visit->idle_polls > 1000) wrong("the server keeps polling and does nothing");
  if (fails(next_choice(), EINTR)) return -1;
  visit->something_happens();
  int found = poll(0);
  while (found == 0 && timeout != 0 && visit->something_happens()) found = poll(0);
  if (found != 0 || timeout == 0) return found;
  visit->time_passes(timeout);
  return poll(0);
}

}  // namespace

extern "C" {
int socket(int, int type, int) {
  return static_cast<int>(::syscall(SYS_socket, AF_UNIX, type, 0));
}

int bind(int number, const sockaddr*, socklen_t) {
  const sa_family_t system_chooses_a_name = AF_UNIX;
  return static_cast<int>(
      ::syscall(SYS_bind, number, &system_chooses_a_name, sizeof system_chooses_a_name));
}

int listen(int number, int backlog) {
  Visit& visit = *Visit::current;
  ::syscall(SYS_getsockname, number, &visit.server, &visit.server_size);
  return static_cast<int>(::syscall(SYS_listen, number, backlog));
}

int setsockopt(int, int, int, const void*, socklen_t) {
  return 0;  // the options of TCP
}

int getsockname(int, sockaddr* address, socklen_t* size) {
  const sockaddr_in any{AF_INET, 0, {}, {}};
  std::memcpy(address, &any, *size = sizeof any);
  return 0;
}

int getpeername(int number, sockaddr* address, socklen_t* size) {
  return getsockname(number, address, size);
}

int accept(int number, sockaddr* address, socklen_t* size) {
  return accept4(number, address, size, 0);
}

int accept4(int number, sockaddr* address, socklen_t* size, int flags) {
  if (fails(next_choice(), ECONNABORTED)) return -1;
  return static_cast<int>(::syscall(SYS_accept4, number, address, size, flags));
}

ssize_t recv(int number, void* data, std::size_t size, int flags) {
  return transfer(SYS_recvfrom, number, data, size, flags);
}

ssize_t send(int number, const void* data, std::size_t size, int flags) {
  return transfer(SYS_sendto, number, data, size, flags);
}

ssize_t read(int number, void* data, std::size_t size) {
  return is_on_network(number) ? recv(number, data, size, 0)
                               : ::syscall(SYS_read, number, data, size);
}

ssize_t write(int number, const void* data, std::size_t size) {
  if (!is_on_network(number)) return ::syscall(SYS_write, number, data, size);
  return send(number, data, size, MSG_NOSIGNAL);
}

int poll(pollfd* polled, nfds_t count, int timeout) {
  return wait(timeout,
              [&](int time) { return static_cast<int>(::syscall(SYS_poll, polled, count, time)); });
}

int epoll_pwait(int number, epoll_event* events, int count, int timeout, const sigset_t* mask) {
  return wait(timeout, [&](int time) {
    return static_cast<int>(
        ::syscall(SYS_epoll_pwait, number, events, count, time, mask, _NSIG / 8));
  });
}

int epoll_wait(int number, epoll_event* events, int count, int timeout) {
  return epoll_pwait(number, events, count, timeout, nullptr);
}

int clock_gettime(clockid_t clock, timespec* time) {
  if (!Visit::current || clock == CLOCK_REALTIME)
    return static_cast<int>(::syscall(SYS_clock_gettime, clock, time));
  const auto now = Visit::current->now.count();
  *time = {now / 1'000'000'000, now % 1'000'000'000};
  return 0;
}
}
