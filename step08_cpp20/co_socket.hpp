#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "listen.hpp"
#include "wait.hpp"

/// Throws `std::system_error`, with `what` was done, if there is an error.
inline void check(const std::error_code& error, const char* what) {
  if (error) throw std::system_error(error, what);
}

/// The body of CoSocket::accept().
inline Coroutine<Socket> accepting(Socket listener) {
  Result<Socket> client = listener.accept();
  while (client.error) {
    if (will_last(client.error)) check(client.error, "accept");
    co_await wait_for_read(listener);
    client = listener.accept();
  }
  co_return std::move(client.value);
}

/// The body of CoSocket::read().
inline Coroutine<std::string> reading(Socket socket, std::size_t most, Clock::time_point deadline) {
  Result<std::string> data;
  do {
    const std::error_code error = co_await wait_for_read(socket, deadline);
    check(error, "read");
    data = socket.read(most);
  } while (try_again(data.error));
  check(data.error, "read");
  co_return std::move(data.value);
}

/// The body of CoSocket::write().
inline Coroutine<> writing(Socket socket, std::string data) {
  std::string_view left = data;
  while (!left.empty()) {
    const Clock::time_point deadline = Clock::now() + std::chrono::seconds(10);
    const std::error_code error = co_await wait_for_write(socket, deadline);
    check(error, "write");
    const Result<std::size_t> written = socket.write(left);
    if (!try_again(written.error)) check(written.error, "write");
    left.remove_prefix(written.value);
  }
}

/// The body of CoSocket::finish().
inline Coroutine<> finishing(Socket socket) {
  socket.shutdown_write();
  const Clock::time_point deadline = Clock::now() + std::chrono::seconds(1);
  std::size_t drained = 0;
  Result<std::string> rest;
  do {
    const std::error_code error = co_await wait_for_read(socket, deadline);
    if (error) break;
    rest = socket.read(65536);
    drained += rest.value.size();
  } while (try_again(rest.error) || (!rest.value.empty() && drained < 1000000));
  socket.close();
}

/// A socket whose operations wait by themselves: each is a coroutine to be awaited. What fails
/// throws a `std::system_error`: `std::errc::operation_canceled` or
/// `std::errc::bad_file_descriptor` if the socket was closed meanwhile, `std::errc::timed_out` at
/// the deadline, or what the system says.
///
/// They are plain functions that hand a copy of the socket to a coroutine, which so needs no
/// `this`.
///
/// Article: "Stacked coroutines", class CoSocket, and "Error handling".
class CoSocket {
 public:
  /// No socket: like a closed one.
  CoSocket() = default;
  explicit CoSocket(Socket socket) : socket_(std::move(socket)) {}

  /// Waits for the next connection.
  Coroutine<Socket> accept() const { return accepting(socket_); }

  /// Waits until something has come, and gives at most `most` bytes of it; none is the end of the
  /// stream.
  Coroutine<std::string> read(std::size_t most, Clock::time_point deadline = no_deadline) const {
    return reading(socket_, most, deadline);
  }

  /// Writes all of `data`, however often it takes. A peer that takes nothing for ten seconds is
  /// given up, as `std::errc::timed_out`.
  Coroutine<> write(std::string data) const { return writing(socket_, std::move(data)); }

  /// Closes, and lets the peer have all that was written: closing with input that nobody has read
  /// would reset the connection. So it reads until the peer has finished, too, within a second and
  /// a megabyte. Never fails.
  Coroutine<> finish() const { return finishing(socket_); }

  /// Never waits. Who waits for the socket is woken with an error.
  void close() { socket_.close(); }

  const Socket& socket() const { return socket_; }

 private:
  Socket socket_;
};
