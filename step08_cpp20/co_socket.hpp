#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "wait.hpp"

/// The body of CoSocket::read().
inline Coroutine<std::string> read_operation(Socket socket, std::size_t size,
                                             Clock::time_point deadline) {
  std::optional<std::string> data;
  do {
    co_await wait_for_read(socket, deadline);
    data = socket.read(size);
  } while (!data);
  co_return std::move(*data);
}

/// The body of CoSocket::write().
inline Coroutine<> write_operation(Socket socket, std::string data, Clock::time_point deadline) {
  std::size_t written = 0;
  while (written < data.size()) {
    co_await wait_for_write(socket, deadline);
    written += socket.write(std::string_view(data).substr(written)).value_or(0);
  }
}

/// A socket whose operations wait until they can succeed. Each of them is a coroutine to call by
/// `co_await`, and throws a `std::system_error` into its caller if it fails.
///
/// Article: "Stacked coroutines" and "Error handling", class CoSocket.
class CoSocket {
 public:
  /// Shares the descriptor with `socket`.
  explicit CoSocket(Socket socket) : socket_(std::move(socket)) {}

  /// Returns the socket itself, whose operations don't wait.
  const Socket& socket() const { return socket_; }

  /// Sets the time at which read() and write() give up, with the error `std::errc::timed_out`.
  void set_deadline(Clock::time_point deadline) { deadline_ = deadline; }

  /// Waits for at most `size` bytes. Returns an empty string at end of file.
  Coroutine<std::string> read(std::size_t size) const {
    return read_operation(socket_, size, deadline_);
  }

  /// Writes all of `data`.
  Coroutine<> write(std::string data) const {
    return write_operation(socket_, std::move(data), deadline_);
  }

 private:
  Socket socket_;
  Clock::time_point deadline_ = no_deadline;
};
