#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "wait.hpp"

/// The body of CoSocket::read().
class ReadOperation final : public Coroutine {
 public:
  ReadOperation(Socket socket, std::size_t size, Clock::time_point deadline)
      : socket_(std::move(socket)), size_(size), deadline_(deadline) {}

 private:
  enum class State { start, readable };
  State state_ = State::start;
  Socket socket_;
  std::size_t size_;
  Clock::time_point deadline_;
  std::optional<std::string> data_;

  std::optional<Yielded> resume(Value) override {
    switch (state_) {
    case State::start:
      do {
        state_ = State::readable;
        return wait_for_read(socket_, deadline_);  // yield wait_for_read(socket, deadline)
      case State::readable:
        data_ = socket_.read(size_);
      } while (!data_);
    }
    return ReturnValue{std::move(*data_)};  // return data
  }
};

/// The body of CoSocket::write().
class WriteOperation final : public Coroutine {
 public:
  WriteOperation(Socket socket, std::string data, Clock::time_point deadline)
      : socket_(std::move(socket)), data_(std::move(data)), deadline_(deadline) {}

 private:
  enum class State { start, writable };
  State state_ = State::start;
  Socket socket_;
  std::string data_;
  Clock::time_point deadline_;
  std::size_t written_ = 0;

  std::optional<Yielded> resume(Value) override {
    switch (state_) {
    case State::start:
      while (written_ < data_.size()) {
        state_ = State::writable;
        return wait_for_write(socket_, deadline_);  // yield wait_for_write(socket, deadline)
      case State::writable:
        written_ += socket_.write(std::string_view(data_).substr(written_)).value_or(0);
      }
    }
    return std::nullopt;
  }
};

/// A socket whose operations wait until they can succeed. Each of them is a call that a coroutine
/// yields, and throws a `std::system_error` into that coroutine if it fails.
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

  /// Waits for at most `size` bytes. Returns a `std::string`, which is empty at end of file.
  Call read(std::size_t size) const {
    return Call{std::make_shared<ReadOperation>(socket_, size, deadline_)};
  }

  /// Writes all of `data`. Returns nothing.
  Call write(std::string data) const {
    return Call{std::make_shared<WriteOperation>(socket_, std::move(data), deadline_)};
  }

 private:
  Socket socket_;
  Clock::time_point deadline_ = no_deadline;
};
