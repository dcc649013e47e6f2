#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "wait.hpp"

/// The body of CoSocket::accept().
class AcceptOperation final : public Coroutine {
 public:
  explicit AcceptOperation(Socket listener) : listener_(std::move(listener)) {}

 private:
  enum class State { start, readable };
  State state_ = State::start;
  Socket listener_;
  std::optional<Socket> client_;

  std::optional<Yielded> resume(Value) override {
    switch (state_) {
    case State::start:
      do {
        state_ = State::readable;
        return wait_for_read(listener_);  // yield wait_for_read(listener)
      case State::readable:
        client_ = listener_.accept();
      } while (!client_);
    }
    return ReturnValue{std::move(*client_)};  // return client
  }
};

/// The body of CoSocket::read().
class ReadOperation final : public Coroutine {
 public:
  ReadOperation(Socket socket, std::size_t size) : socket_(std::move(socket)), size_(size) {}

 private:
  enum class State { start, readable };
  State state_ = State::start;
  Socket socket_;
  std::size_t size_;
  std::optional<std::string> data_;

  std::optional<Yielded> resume(Value) override {
    switch (state_) {
    case State::start:
      do {
        state_ = State::readable;
        return wait_for_read(socket_);  // yield wait_for_read(socket)
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
  WriteOperation(Socket socket, std::string data)
      : socket_(std::move(socket)), data_(std::move(data)) {}

 private:
  enum class State { start, writable };
  State state_ = State::start;
  Socket socket_;
  std::string data_;
  std::size_t written_ = 0;

  std::optional<Yielded> resume(Value) override {
    switch (state_) {
    case State::start:
      while (written_ < data_.size()) {
        state_ = State::writable;
        return wait_for_write(socket_);  // yield wait_for_write(socket)
      case State::writable:
        written_ += socket_.write(std::string_view(data_).substr(written_)).value_or(0);
      }
    }
    return std::nullopt;
  }
};

/// A socket whose operations wait until they can succeed. Each of them is a call that a coroutine
/// yields.
///
/// Article: "Stacked coroutines", class CoSocket.
class CoSocket {
 public:
  /// Shares the descriptor with `socket`.
  explicit CoSocket(Socket socket) : socket_(std::move(socket)) {}

  /// Returns the socket itself, whose operations don't wait.
  const Socket& socket() const { return socket_; }

  /// Waits for the next connection. Returns a `Socket`.
  Call accept() const { return Call{std::make_shared<AcceptOperation>(socket_)}; }

  /// Waits for at most `size` bytes. Returns a `std::string`, which is empty at end of file.
  Call read(std::size_t size) const { return Call{std::make_shared<ReadOperation>(socket_, size)}; }

  /// Writes all of `data`. Returns nothing.
  Call write(std::string data) const {
    return Call{std::make_shared<WriteOperation>(socket_, std::move(data))};
  }

 private:
  Socket socket_;
};
