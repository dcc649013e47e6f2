#pragma once

#include <any>
#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
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
class Accepting final : public Coroutine {
 public:
  explicit Accepting(Socket listener) : listener_(std::move(listener)) {}

 private:
  enum class At { start, ready } at_ = At::start;
  Socket listener_;
  Result<Socket> client_;

  std::optional<Yielded> resume(Value) override {
    switch (at_) {
    case At::start:
      while ((client_ = listener_.accept()).error) {
        if (will_last(client_.error)) check(client_.error, "accept");
        at_ = At::ready;
        return wait_for_read(listener_);  // yield wait_for_read(listener)
      case At::ready:;
      }
    }
    return ReturnValue{std::move(client_.value)};  // return client
  }
};

/// The body of CoSocket::read().
class Reading final : public Coroutine {
 public:
  Reading(Socket socket, std::size_t most, Clock::time_point deadline)
      : socket_(std::move(socket)), most_(most), deadline_(deadline) {}

 private:
  enum class At { start, ready } at_ = At::start;
  Socket socket_;
  std::size_t most_;
  Clock::time_point deadline_;
  Result<std::string> data_;

  std::optional<Yielded> resume(Value sent) override {
    switch (at_) {
    case At::start:
      do {
        at_ = At::ready;
        return wait_for_read(socket_, deadline_);  // error = yield wait_for_read(socket, deadline)
      case At::ready:
        check(std::any_cast<std::error_code>(sent), "read");
        data_ = socket_.read(most_);
      } while (try_again(data_.error));
      check(data_.error, "read");
    }
    return ReturnValue{std::move(data_.value)};  // return data
  }
};

/// The body of CoSocket::write().
class Writing final : public Coroutine {
 public:
  Writing(Socket socket, std::string data) : socket_(std::move(socket)), data_(std::move(data)) {}

 private:
  enum class At { start, ready } at_ = At::start;
  Socket socket_;
  std::string data_;
  std::size_t done_ = 0;
  Result<std::size_t> written_;

  std::optional<Yielded> resume(Value sent) override {
    switch (at_) {
    case At::start:
      while (done_ < data_.size()) {
        at_ = At::ready;
        return wait_for_write(socket_, Clock::now() + std::chrono::seconds(10));
      case At::ready:
        check(std::any_cast<std::error_code>(sent), "write");
        written_ = socket_.write(std::string_view(data_).substr(done_));
        if (!try_again(written_.error)) check(written_.error, "write");
        done_ += written_.value;
      }
    }
    return std::nullopt;
  }
};

/// The body of CoSocket::finish().
class Finishing final : public Coroutine {
 public:
  explicit Finishing(Socket socket) : socket_(std::move(socket)) {}

 private:
  enum class At { start, ready } at_ = At::start;
  Socket socket_;
  Result<std::string> rest_;
  Clock::time_point deadline_;
  std::size_t drained_ = 0;

  std::optional<Yielded> resume(Value sent) override {
    switch (at_) {
    case At::start:
      socket_.shutdown_write();
      deadline_ = Clock::now() + std::chrono::seconds(1);
      do {
        at_ = At::ready;
        return wait_for_read(socket_, deadline_);  // error = yield wait_for_read(socket, deadline)
      case At::ready:
        if (std::any_cast<std::error_code>(sent)) break;
        rest_ = socket_.read(65536);
        drained_ += rest_.value.size();
      } while (try_again(rest_.error) || (!rest_.value.empty() && drained_ < 1000000));
      socket_.close();
    }
    return std::nullopt;
  }
};

/// A socket whose operations wait by themselves: each is a call that a coroutine yields. What fails
/// throws a `std::system_error` into it: `std::errc::operation_canceled` or
/// `std::errc::bad_file_descriptor` if the socket was closed meanwhile, `std::errc::timed_out` at
/// the deadline, or what the system says.
///
/// Article: "Stacked coroutines", class CoSocket, and "Error handling".
class CoSocket {
 public:
  /// No socket: like a closed one.
  CoSocket() = default;
  explicit CoSocket(Socket socket) : socket_(std::move(socket)) {}

  /// Waits for the next connection. Returns a `Socket`.
  [[nodiscard]] Call accept() const { return Call{std::make_shared<Accepting>(socket_)}; }

  /// Waits until something has come. Returns a `std::string` of at most `most` bytes; an empty one
  /// is the end of the stream.
  [[nodiscard]] Call read(std::size_t most, Clock::time_point deadline = no_deadline) const {
    return Call{std::make_shared<Reading>(socket_, most, deadline)};
  }

  /// Writes all of `data`, however often it takes. Returns nothing. A peer that takes nothing for
  /// ten seconds is given up, as `std::errc::timed_out`.
  [[nodiscard]] Call write(std::string data) const {
    return Call{std::make_shared<Writing>(socket_, std::move(data))};
  }

  /// Closes, and lets the peer have all that was written: closing with input that nobody has read
  /// would reset the connection. So it reads until the peer has finished, too, within a second and
  /// a megabyte. Returns nothing, and never fails.
  [[nodiscard]] Call finish() const { return Call{std::make_shared<Finishing>(socket_)}; }

  /// Not a call: it never waits. Who waits for the socket is woken with an error.
  void close() { socket_.close(); }

  const Socket& socket() const { return socket_; }

 private:
  Socket socket_;
};
