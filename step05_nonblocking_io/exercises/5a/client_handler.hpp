#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "wait.hpp"

/// Reads a request, writes a response, and closes the connection, like the ClientHandler of
/// `web_server`. The response is short, so that one write is enough.
class ClientHandler final : public Coroutine {
 public:
  explicit ClientHandler(Socket socket) : socket_(std::move(socket)) {}

 private:
  enum class State { start, readable };
  State state_ = State::start;
  Socket socket_;
  std::optional<std::string> request_;

  std::optional<Yielded> resume(Value) override {
    switch (state_) {
    case State::start:
      do {
        state_ = State::readable;
        return wait_for_read(socket_);  // yield wait_for_read(socket)
      case State::readable:
        request_ = socket_.read(8192);
      } while (!request_);

      socket_.write("Received " + std::to_string(request_->size()) + " bytes.");
    }
    return std::nullopt;  // the coroutine is destroyed, and this closes the socket
  }
};
