#include <netinet/in.h>
#include <sys/socket.h>

#include <any>
#include <exception>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <utility>

#include "line_reader.hpp"
#include "server.hpp"
#include "usage.hpp"

/// The other end of a connection, as Python prints an address.
std::string peer_of(const Socket& socket) {
  sockaddr_in address{};
  socklen_t size = sizeof address;
  ::getpeername(socket.number(), reinterpret_cast<sockaddr*>(&address), &size);
  return "('127.0.0.1', " + std::to_string(ntohs(address.sin_port)) + ")";
}

/// Sends each line back, with GOT: before it. Recipe 12.12, EchoServer.client_handler().
class Client final : public Coroutine {
 public:
  Client(Server& server, Socket socket)
      : server_(server), socket_(std::move(socket)), lines_(socket_) {}

 private:
  enum class At { start, named, read, written, finished } at_ = At::start;
  Server& server_;
  CoSocket socket_;
  LineReader lines_;
  TaskId id_ = 0;
  std::string line_;

  std::optional<Yielded> resume(Value sent) override {
    switch (at_) {
    case At::start:
      at_ = At::named;
      return get_task_id();  // id = yield get_task_id()
    case At::named:
      id_ = std::any_cast<TaskId>(sent);
      std::cout << "Got connection from  " << peer_of(socket_.socket()) << std::endl;
      while (!server_.ending || lines_.has_line()) {
        server_.idle.insert(id_);
        at_ = At::read;
        return lines_.readline();  // line = yield lines.readline()
      case At::read:
        server_.idle.erase(id_);
        line_ = std::any_cast<std::string>(std::move(sent));
        if (line_.empty()) break;
        at_ = At::written;
        return socket_.write("GOT:" + line_);  // yield socket.write("GOT:" + line)
      case At::written:
        if (--server_.requests == 0) StopRequests::request();
      }
      at_ = At::finished;
      return socket_.finish();  // yield socket.finish()
    case At::finished:
      std::cout << "Client closed" << std::endl;
    }
    return std::nullopt;
  }

  /// catch (system_error) around the loop: a client that is gone has closed, too.
  std::optional<Yielded> resume_with(std::exception_ptr error) override {
    server_.idle.erase(id_);
    try {
      std::rethrow_exception(error);
    } catch (const std::system_error&) {
      at_ = At::finished;
      return resume(Value());
    }
  }
};

int main(int, char** argv) {
  Options options{16000};
  if (!read_options(argv, options))
    return usage(argv, "echo_server [--port 0..65535] [--requests N]   (sends each line back)");
  return serve<Client>("echo_server", options);
}
