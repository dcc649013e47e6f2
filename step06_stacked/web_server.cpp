#include <any>
#include <optional>
#include <string>
#include <utility>

#include "server.hpp"

std::string response_to(const std::string& request) {
  const std::string message = "Received following request:\n\n" + request;
  return "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: " +
         std::to_string(message.size()) + "\r\nConnection: close\r\n\r\n" + message;
}

/// Reads a request once, writes the response, and closes the connection. Article: "Stacked
/// coroutines", handleClient().
class ClientHandler final : public Coroutine {
 public:
  explicit ClientHandler(Socket socket) : socket_(std::move(socket)) {}

 private:
  enum class State { start, got_request, wrote_response };
  State state_ = State::start;
  CoSocket socket_;
  std::string request_;

  std::optional<Yielded> resume(Value sent) override {
    switch (state_) {
    case State::start:
      state_ = State::got_request;
      return socket_.read(8192);  // request = yield socket.read(8192)
    case State::got_request:
      request_ = std::any_cast<std::string>(sent);
      state_ = State::wrote_response;
      return socket_.write(response_to(request_));  // yield socket.write(response_to(request))
    case State::wrote_response:;
    }
    return std::nullopt;  // the coroutine is destroyed, and this closes the socket
  }
};

int main(int argc, char** argv) {
  serve<ClientHandler>(argc, argv, 8000);
}
