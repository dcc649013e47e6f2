#include <sys/socket.h>

#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <utility>

#include "wait.hpp"

/// Waits for something to read, and tries again if it was in vain.
class Reader final : public Coroutine {
 public:
  Reader(std::string name, Socket socket) : name_(std::move(name)), socket_(std::move(socket)) {}

 private:
  enum class At { start, readable } at_ = At::start;
  std::string name_;
  Socket socket_;
  Result<std::string> got_;

  std::optional<Yielded> resume(Value) override {
    switch (at_) {
    case At::start:
      do {
        at_ = At::readable;
        return wait_for_read(socket_);  // yield wait_for_read(socket)
      case At::readable:
        got_ = socket_.read(100);
        if (try_again(got_.error)) std::cout << name_ << ": in vain\n";
      } while (try_again(got_.error));
      std::cout << name_ << ": " << (got_.value.empty() ? "the end" : got_.value) << '\n';
    }
    return std::nullopt;
  }
};

/// Writes a word, does something else, and closes.
class Writer final : public Coroutine {
 public:
  explicit Writer(Socket socket) : socket_(std::move(socket)) {}

 private:
  enum class At { start, written, worked } at_ = At::start;
  Socket socket_;

  std::optional<Yielded> resume(Value) override {
    switch (at_) {
    case At::start:
      std::cout << "Writer: writes\n";
      socket_.write("hello");
      at_ = At::written;
      return Nothing{};  // yield
    case At::written:
      std::cout << "Writer: works\n";
      at_ = At::worked;
      return Nothing{};  // yield
    case At::worked:
      std::cout << "Writer: closes\n";
      socket_.close();
    }
    return std::nullopt;
  }
};

int main() {
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, ends) < 0)
    throw std::system_error(errno, std::system_category(), "socketpair");
  const Socket here(ends[0]), there(ends[1]);

  Scheduler scheduler;
  scheduler.new_task(std::make_shared<Reader>("Ann", here));
  scheduler.new_task(std::make_shared<Reader>("Bob", here));
  scheduler.new_task(std::make_shared<Writer>(there));
  scheduler.run();
}
