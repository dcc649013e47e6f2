#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "command_line.hpp"
#include "process.hpp"
#include "wait.hpp"

std::string response_to(const std::string& request) {
  const std::string message = "Received following request:\n\n" + request;
  return "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: " +
         std::to_string(message.size()) + "\r\nConnection: close\r\n\r\n" + message;
}

/// Reads a request once, writes the response, and closes the connection. Article: "Non-Blocking
/// IO", handleClient().
class ClientHandler final : public Coroutine {
 public:
  explicit ClientHandler(Socket socket) : socket_(std::move(socket)) {}

 private:
  enum class State { start, readable, writable };
  State state_ = State::start;
  Socket socket_;
  std::optional<std::string> request_;
  std::string response_;

  std::optional<Yielded> resume(Value) override {
    switch (state_) {
    case State::start:
      do {
        state_ = State::readable;
        return wait_for_read(socket_);  // yield wait_for_read(socket)
      case State::readable:
        request_ = socket_.read(8192);
      } while (!request_);

      response_ = response_to(*request_);
      while (!response_.empty()) {
        state_ = State::writable;
        return wait_for_write(socket_);  // yield wait_for_write(socket)
      case State::writable:
        response_.erase(0, socket_.write(response_).value_or(0));
      }
    }
    return std::nullopt;  // the coroutine is destroyed, and this closes the socket
  }
};

/// Starts a task for every connection. Article: "Non-Blocking IO", server().
class Server final : public Coroutine {
 public:
  explicit Server(Socket listener) : listener_(std::move(listener)) {}

 private:
  enum class State { start, readable, started_client };
  State state_ = State::start;
  Socket listener_;
  std::optional<Socket> client_;

  std::optional<Yielded> resume(Value) override {
    switch (state_) {
    case State::start:
      while (true) {
        state_ = State::readable;
        return wait_for_read(listener_);  // yield wait_for_read(listener)
      case State::readable:
        client_ = listener_.accept();
        if (client_) {
          state_ = State::started_client;
          return new_task(std::make_shared<ClientHandler>(std::move(*client_)));
        case State::started_client:;
        }
      }
    }
    return std::nullopt;  // never reached
  }
};

int main(int argc, char** argv) {
  Scheduler scheduler;
  scheduler.new_task(std::make_shared<Server>(start_listening(argc, argv, 8000)));
  scheduler.run();
}
