#include <any>
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

/// Serves one client: reads once, answers, finishes. Article: "Stacked coroutines", handleClient().
class Client final : public Coroutine {
 public:
  Client(Server& server, Socket socket) : server_(server), socket_(std::move(socket)) {}

 private:
  enum class At { start, named, read, written, finished } at_ = At::start;
  Server& server_;
  CoSocket socket_;
  TaskId id_ = 0;
  Result<std::string> data_;

  std::optional<Yielded> resume(Value sent) override {
    switch (at_) {
    case At::start:
      at_ = At::named;
      return get_task_id();  // id = yield get_task_id()
    case At::named:
      id_ = std::any_cast<TaskId>(sent);
      server_.idle.insert(id_);
      at_ = At::read;
      return socket_.read(8192);  // data = yield socket.read(8192)
    case At::read:
      server_.idle.erase(id_);
      data_ = std::any_cast<Result<std::string>>(std::move(sent));
      if (data_.error) return std::nullopt;
      at_ = At::written;
      return socket_.write(answer_to(data_.value));  // error = yield socket.write(answer)
    case At::written:
      if (std::any_cast<std::error_code>(sent)) return std::nullopt;
      if (--server_.requests == 0) StopRequests::request();
      at_ = At::finished;
      return socket_.finish();  // yield socket.finish()
    case At::finished:;
    }
    return std::nullopt;
  }
};

int main(int, char** argv) {
  Options options{8000};
  if (!read_options(argv, options))
    return usage(argv, "web_server [--port 0..65535] [--requests N]   (answers with the request)");
  return serve<Client>("web_server", options);
}
