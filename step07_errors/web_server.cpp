#include <any>
#include <chrono>
#include <exception>
#include <optional>
#include <string>
#include <system_error>
#include <utility>

#include "server.hpp"

std::string response_to(const std::string& request) {
  const std::string message = "Received following request:\n\n" + request;
  return "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: " +
         std::to_string(message.size()) + "\r\nConnection: close\r\n\r\n" + message;
}

/// Reads a request, writes the response, and closes the connection, all within ten seconds.
/// Article: "Stacked coroutines", handleClient(), with the error handling that it leaves out.
class ClientHandler final : public Coroutine {
 public:
  explicit ClientHandler(Socket socket) : socket_(std::move(socket)) {}

 private:
  enum class State { start, got_data, wrote_response, got_rest };
  State state_ = State::start;
  CoSocket socket_;
  Clock::time_point deadline_;
  std::string data_, request_;

  /// Returns true at the blank line that ends a request, at end of file, or if the request is too
  /// long. Lines may also end with a bare \n, as those that you type in nc.
  bool is_complete() const {
    const bool has_blank_line =
        request_.find("\n\r\n") != std::string::npos || request_.find("\n\n") != std::string::npos;
    return has_blank_line || data_.empty() || request_.size() > 8192;
  }

  /// Returns true if the client has nothing more to send: a GET request ends with its blank line.
  bool is_whole_get() const {
    return request_.rfind("GET ", 0) == 0 && request_.find("\r\n\r\n") == request_.size() - 4;
  }

  std::optional<Yielded> resume(Value sent) override {
    switch (state_) {
    case State::start:
      deadline_ = Clock::now() + std::chrono::seconds(10);
      socket_.set_deadline(deadline_);
      do {
        state_ = State::got_data;
        return socket_.read(8192);  // data = yield socket.read(8192)
      case State::got_data:
        data_ = std::any_cast<std::string>(sent);
        request_ += data_;
      } while (!is_complete());

      state_ = State::wrote_response;
      return socket_.write(response_to(request_));  // yield socket.write(response_to(request))
    case State::wrote_response:
      if (is_whole_get()) break;
      // If there were unread data when the socket is closed, the client could lose the response.
      socket_.socket().shutdown_write();
      do {
        state_ = State::got_rest;
        return socket_.read(8192);  // data = yield socket.read(8192)
      case State::got_rest:
        data_ = std::any_cast<std::string>(sent);
      } while (!data_.empty() && Clock::now() < deadline_);
    }
    return std::nullopt;  // the coroutine is destroyed, and this closes the socket
  }

  /// catch (const std::system_error&) around everything: the client is lost or too slow
  std::optional<Yielded> resume_with_exception(std::exception_ptr error) override {
    try {
      std::rethrow_exception(error);
    } catch (const std::system_error&) {
      return std::nullopt;
    }
  }
};

int main(int argc, char** argv) {
  serve<ClientHandler>(argc, argv, 8000);
}
