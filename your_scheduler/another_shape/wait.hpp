#pragma once

// A solution in another shape than ours: the system calls about sockets.

#include "scheduler.hpp"
#include "socket.hpp"

inline SystemCall wait_for_read(const Socket& socket) {
  return [fd = socket.fd()](TaskId me, Scheduler& s) { s.wait_for_fd(me, fd, POLLIN); };
}
inline SystemCall wait_for_write(const Socket& socket) {
  return [fd = socket.fd()](TaskId me, Scheduler& s) { s.wait_for_fd(me, fd, POLLOUT); };
}
