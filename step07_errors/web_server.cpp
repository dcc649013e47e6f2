#include <any>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <utility>

#include "server.hpp"
#include "usage.hpp"

std::string answer_to(const std::string& request) {
  const std::string message = "Received following request:\n\n" + request;
  return "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: " +
         std::to_string(message.size()) + "\r\nConnection: close\r\n\r\n" + message;
}

/// A GET that has come to its blank line: its client sends nothing more.
bool is_whole(const std::string& request) {
  return request.rfind("GET ", 0) == 0 && request.find("\r\n\r\n") == request.size() - 4;
}

/// Serves one client: reads once, answers, finishes. Article: "Stacked coroutines", handleClient(),
/// with what "Error handling" leaves out.
class Client final : public Coroutine {
 public:
  Client(Server& server, Socket socket) : server_(server), socket_(std::move(socket)) {}

 private:
  enum class At { start, named, read, written, finished } at_ = At::start;
  Server& server_;
  CoSocket socket_;
  TaskId id_ = 0;
  std::string data_;

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
      data_ = std::any_cast<std::string>(std::move(sent));
      at_ = At::written;
      return socket_.write(answer_to(data_));  // yield socket.write(answer)
    case At::written:
      if (--server_.requests == 0) StopRequests::request();
      if (is_whole(data_)) return std::nullopt;  // the last handle goes, and the socket is closed
      at_ = At::finished;
      return socket_.finish();  // yield socket.finish()
    case At::finished:;
    }
    return std::nullopt;
  }

  /// catch (system_error) around all the yields: a client that is gone, or silent, is no news.
  std::optional<Yielded> resume_with(std::exception_ptr error) override {
    server_.idle.erase(id_);
    try {
      std::rethrow_exception(error);
    } catch (const std::system_error&) {
      return std::nullopt;
    }
  }
};

int main(int, char** argv) {
  Options options{8000};
  if (!read_options(argv, options))
    return usage(argv, "web_server [--port 0..65535] [--requests N]   (answers with the request)");
  return serve<Client>("web_server", options);
}
