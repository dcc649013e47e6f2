#include <sys/socket.h>

#include <cerrno>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <utility>

#include "wait.hpp"

/// Waits for something to read, and waits again if the read would block.
class Reader final : public Coroutine {
 public:
  Reader(std::string name, Socket socket) : name_(std::move(name)), socket_(std::move(socket)) {}

 private:
  enum class State { start, readable };
  State state_ = State::start;
  std::string name_;
  Socket socket_;
  std::optional<std::string> data_;

  std::optional<Yielded> resume(Value) override {
    switch (state_) {
    case State::start:
      do {
        state_ = State::readable;
        return wait_for_read(socket_);  // yield wait_for_read(socket)
      case State::readable:
        data_ = socket_.read(100);
        if (!data_) std::cout << name_ << ": would block\n";
      } while (!data_);
      std::cout << name_ << ": " << (data_->empty() ? "end of file" : *data_) << '\n';
    }
    return std::nullopt;
  }
};

/// Writes a word, works for a turn, and closes its socket.
class Writer final : public Coroutine {
 public:
  explicit Writer(Socket socket) : socket_(std::move(socket)) {}

 private:
  enum class State { start, wrote, worked };
  State state_ = State::start;
  Socket socket_;

  std::optional<Yielded> resume(Value) override {
    switch (state_) {
    case State::start:
      std::cout << "Writer: writes\n";
      socket_.write("hello");
      state_ = State::wrote;
      return Nothing{};  // yield
    case State::wrote:
      std::cout << "Writer: works\n";
      state_ = State::worked;
      return Nothing{};  // yield
    case State::worked:
      std::cout << "Writer: closes\n";
    }
    return std::nullopt;  // the coroutine is destroyed, and this closes the socket
  }
};

int main() {
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, ends) < 0)
    throw std::system_error(errno, std::system_category(), "socketpair");
  const Socket reading(ends[0]);

  Scheduler scheduler;
  scheduler.new_task(std::make_shared<Reader>("Ann", reading));
  scheduler.new_task(std::make_shared<Reader>("Bob", reading));
  scheduler.new_task(std::make_shared<Writer>(Socket(ends[1])));
  scheduler.run();
}
