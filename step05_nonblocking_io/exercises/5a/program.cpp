#include <sys/socket.h>

#include <cstddef>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "client_handler.hpp"

/// Sends a request, one part per turn, and prints the response. Doesn't wait for it longer than
/// five turns.
class Client final : public Coroutine {
 public:
  Client(std::string name, std::vector<std::string> parts, Socket socket)
      : name_(std::move(name)), parts_(std::move(parts)), socket_(std::move(socket)) {}

 private:
  enum class State { start, yielded };
  State state_ = State::start;
  std::string name_;
  std::vector<std::string> parts_;
  Socket socket_;
  std::size_t turn_ = 0;

  std::optional<Yielded> resume(Value) override {
    switch (state_) {
    case State::start:
      for (turn_ = 0; turn_ < parts_.size() + 5; ++turn_) {
        if (turn_ < parts_.size()) socket_.write(parts_[turn_]);
        state_ = State::yielded;
        return Nothing{};  // yield
      case State::yielded:;
      }
      std::cout << name_ << ": " << socket_.read(8192).value_or("no response") << '\n';
    }
    return std::nullopt;
  }
};

/// Adds a client and a handler whose sockets are connected with each other.
void connect(Scheduler& scheduler, const std::string& name, const std::vector<std::string>& parts) {
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, ends) < 0)
    throw std::system_error(errno, std::system_category(), "socketpair");
  scheduler.new_task(std::make_shared<ClientHandler>(Socket(ends[0])));
  scheduler.new_task(std::make_shared<Client>(name, parts, Socket(ends[1])));
}

int main() {
  Scheduler scheduler;
  connect(scheduler, "Ann", {"GET / HTTP/1.1\r\n\r\n"});
  connect(scheduler, "Bob", {"GET / HT", "TP/1.1\r\n", "\r\n"});
  scheduler.run();
}
