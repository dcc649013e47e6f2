#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <system_error>
#include <utility>

#include "socket.hpp"

/// Turns "please end" into something that a task can wait for: a pipe that becomes readable when
/// SIGINT or SIGTERM arrives, or when request() is called. There may be one at a time.
class StopRequests {
 public:
  /// Throws `std::system_error` if there is no pipe to be had.
  StopRequests() {
    int ends[2];
    if (::pipe2(ends, O_NONBLOCK | O_CLOEXEC) < 0)
      throw std::system_error(errno, std::system_category(), "pipe");
    read_end_ = Socket(ends[0]);
    write_end_ = ends[1];
    for (const int signal : {SIGINT, SIGTERM}) std::signal(signal, request);
  }

  ~StopRequests() {
    for (const int signal : {SIGINT, SIGTERM}) std::signal(signal, SIG_DFL);
    ::close(std::exchange(write_end_, -1));
  }

  StopRequests(const StopRequests&) = delete;
  StopRequests& operator=(const StopRequests&) = delete;

  /// Becomes readable, and stays so.
  const Socket& socket() const { return read_end_; }

  /// Asks to end. A signal handler may do no more than this: write a byte, and leave `errno` alone.
  static void request(int = 0) {
    const int kept = errno;
    if (::write(write_end_, "", 1) < 0) errno = kept;  // the pipe is full: it has been asked before
  }

 private:
  Socket read_end_;
  inline static int write_end_ = -1;
};
