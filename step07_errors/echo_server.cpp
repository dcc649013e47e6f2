#include <netinet/in.h>
#include <sys/socket.h>

#include <any>
#include <chrono>
#include <exception>
#include <optional>
#include <string>
#include <system_error>
#include <utility>

#include "readline.hpp"
#include "server.hpp"

/// Returns the address of the peer, in the form in which Python prints it.
std::string peer_of(const Socket& socket) {
  sockaddr_in address{};
  socklen_t size = sizeof address;
  ::getpeername(socket.fd(), reinterpret_cast<sockaddr*>(&address), &size);
  return "('127.0.0.1', " + std::to_string(ntohs(address.sin_port)) + ")";
}

/// Sends every line back, with GOT: before it. A client has a minute for each line. Recipe 12.12,
/// EchoServer.client_handler().
class ClientHandler final : public Coroutine {
 public:
  explicit ClientHandler(Socket socket) : socket_(std::move(socket)) {}

 private:
  enum class State { start, got_line, wrote_line };
  State state_ = State::start;
  CoSocket socket_;
  std::string line_;

  std::optional<Yielded> resume(Value sent) override {
    switch (state_) {
    case State::start:
      print_line("Got connection from  " + peer_of(socket_.socket()));
      while (true) {
        socket_.set_deadline(Clock::now() + std::chrono::minutes(1));
        state_ = State::got_line;
        return readline(socket_);  // line = yield readline(socket)
      case State::got_line:
        line_ = std::any_cast<std::string>(sent);
        if (line_.empty()) break;
        state_ = State::wrote_line;
        return socket_.write("GOT:" + line_);  // yield socket.write("GOT:" + line)
      case State::wrote_line:;
      }
    }
    print_line("Client closed");
    return std::nullopt;  // the coroutine is destroyed, and this closes the socket
  }

  /// catch (const std::system_error&) around the loop
  std::optional<Yielded> resume_with_exception(std::exception_ptr error) override {
    try {
      std::rethrow_exception(error);
    } catch (const std::system_error& e) {
      print_line(std::string("Client lost: ") + e.what());
    }
    return std::nullopt;
  }
};

int main(int argc, char** argv) {
  serve<ClientHandler>(argc, argv, 16000);
}
