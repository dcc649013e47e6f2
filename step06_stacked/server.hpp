#pragma once

#include <any>
#include <memory>
#include <optional>
#include <utility>

#include "co_socket.hpp"
#include "command_line.hpp"
#include "process.hpp"

/// Starts a task with a `ClientHandler` for every connection. Article: "Stacked coroutines",
/// server().
template <typename ClientHandler>
class Server final : public Coroutine {
 public:
  explicit Server(CoSocket listener) : listener_(std::move(listener)) {}

 private:
  enum class State { start, accepted, started_client };
  State state_ = State::start;
  CoSocket listener_;

  std::optional<Yielded> resume(Value sent) override {
    switch (state_) {
    case State::start:
      while (true) {
        state_ = State::accepted;
        return listener_.accept();  // client = yield listener.accept()
      case State::accepted:
        state_ = State::started_client;
        return new_task(std::make_shared<ClientHandler>(std::any_cast<Socket>(sent)));
      case State::started_client:;
      }
    }
    return std::nullopt;  // never reached
  }
};

/// Runs a server on 127.0.0.1, on the port in the command line or on `default_port`.
template <typename ClientHandler>
void serve(int argc, char** argv, int default_port) {
  Scheduler scheduler;
  scheduler.new_task(
      std::make_shared<Server<ClientHandler>>(CoSocket(start_listening(argc, argv, default_port))));
  scheduler.run();
}
