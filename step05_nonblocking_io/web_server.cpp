#include <any>
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "server.hpp"
#include "usage.hpp"

std::string answer_to(const std::string& request) {
  const std::string message = "Received following request:\n\n" + request;
  return "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: " +
         std::to_string(message.size()) + "\r\nConnection: close\r\n\r\n" + message;
}

/// Serves one client: reads once, answers, closes. Article: "Non-Blocking IO", handleClient().
class Client final : public Coroutine {
 public:
  Client(Server& server, Socket socket) : server_(server), socket_(std::move(socket)) {}

 private:
  enum class At { start, named, readable, writable, drainable } at_ = At::start;
  Server& server_;
  Socket socket_;
  TaskId id_ = 0;
  Result<std::string> request_, rest_;
  Result<std::size_t> written_;
  std::string answer_;
  Clock::time_point deadline_;
  std::size_t drained_ = 0;

  std::optional<Yielded> resume(Value sent) override {
    switch (at_) {
    case At::start:
      at_ = At::named;
      return get_task_id();  // id = yield get_task_id()
    case At::named:
      id_ = std::any_cast<TaskId>(sent);
      server_.idle.insert(id_);
      do {
        at_ = At::readable;
        return wait_for_read(socket_);  // yield wait_for_read(socket)
      case At::readable:
        request_ = socket_.read(8192);
      } while (try_again(request_.error));
      server_.idle.erase(id_);
      if (request_.error) return std::nullopt;

      answer_ = answer_to(request_.value);
      while (!answer_.empty()) {
        at_ = At::writable;
        return wait_for_write(socket_, Clock::now() + std::chrono::seconds(10));
      case At::writable:
        if (std::any_cast<std::error_code>(sent)) return std::nullopt;  // it takes nothing
        written_ = socket_.write(answer_);
        if (written_.error && !try_again(written_.error)) return std::nullopt;
        answer_.erase(0, written_.value);
      }
      if (--server_.requests == 0) StopRequests::request();

      // Closing with input that nobody has read would reset the connection, and the client might
      // lose the answer: so read until it has ended, within a second and a megabyte.
      socket_.shutdown_write();
      deadline_ = Clock::now() + std::chrono::seconds(1);
      do {
        at_ = At::drainable;
        return wait_for_read(socket_, deadline_);  // error = yield wait_for_read(socket, deadline)
      case At::drainable:
        if (std::any_cast<std::error_code>(sent)) return std::nullopt;
        rest_ = socket_.read(65536);
        drained_ += rest_.value.size();
      } while (try_again(rest_.error) || (!rest_.value.empty() && drained_ < 1000000));
    }
    return std::nullopt;  // the last handle goes, and the socket is closed
  }
};

int main(int, char** argv) {
  Options options{8000};
  if (!read_options(argv, options))
    return usage(argv, "web_server [--port 0..65535] [--requests N]   (answers with the request)");
  return serve<Client>("web_server", options);
}
