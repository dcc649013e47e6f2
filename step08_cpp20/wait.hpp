#pragma once

#include <poll.h>

#include "scheduler.hpp"

// The system calls that wait for a socket. Each gives a `std::error_code`: empty when the socket is
// ready, `std::errc::operation_canceled` when it was closed meanwhile (or already), and
// `std::errc::timed_out` when the deadline has come. Several tasks may wait for one socket; all of
// them are woken. A wait does not keep the socket open.

/// Waits until something can be read, or accepted, or the peer has ended.
///
/// Article: "Non-Blocking IO", waitForRead().
inline SystemCall<std::error_code> wait_for_read(Socket socket,
                                                 Clock::time_point deadline = no_deadline) {
  return [socket = std::move(socket), deadline](Task& task, Scheduler& scheduler) {
    scheduler.wait_for(task, socket, POLLIN, deadline);
  };
}

/// Waits until something can be written.
///
/// Article: "Non-Blocking IO", waitForWrite().
inline SystemCall<std::error_code> wait_for_write(Socket socket,
                                                  Clock::time_point deadline = no_deadline) {
  return [socket = std::move(socket), deadline](Task& task, Scheduler& scheduler) {
    scheduler.wait_for(task, socket, POLLOUT, deadline);
  };
}
