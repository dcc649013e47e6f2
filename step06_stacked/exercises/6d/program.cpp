#include <sys/socket.h>

#include <any>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <utility>

#include "line_reader.hpp"

/// Sends a line, and then one that does not end.
class Sender final : public Coroutine {
 public:
  explicit Sender(CoSocket socket) : socket_(std::move(socket)) {}

 private:
  enum class At { start, line_sent, all_sent } at_ = At::start;
  CoSocket socket_;

  std::optional<Yielded> resume(Value) override {
    switch (at_) {
    case At::start:
      at_ = At::line_sent;
      return socket_.write("hello\n");  // yield socket.write(...)
    case At::line_sent:
      at_ = At::all_sent;
      return socket_.write(std::string(1000000, 'x'));  // yield socket.write(...)
    case At::all_sent:
      socket_.close();
    }
    return std::nullopt;
  }
};

/// Reads two lines and says how that went.
class Receiver final : public Coroutine {
 public:
  explicit Receiver(CoSocket socket) : socket_(std::move(socket)), lines_(socket_) {}

 private:
  enum class At { start, read } at_ = At::start;
  CoSocket socket_;
  LineReader lines_;
  int i_ = 0;

  std::optional<Yielded> resume(Value sent) override {
    switch (at_) {
    case At::start:
      for (i_ = 1; i_ <= 2; ++i_) {
        at_ = At::read;
        return lines_.readline();  // line = yield lines.readline()
      case At::read:
        print(std::any_cast<Result<std::string>>(sent));
      }
      socket_.close();
    }
    return std::nullopt;
  }

  static void print(const Result<std::string>& line) {
    if (line.error == std::errc::message_size) {
      std::cout << "too long\n";
    } else {
      std::cout << "a line of " << line.value.size() << " bytes\n";
    }
  }
};

int main() {
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, ends) != 0) return 1;
  Scheduler scheduler;
  scheduler.new_task(std::make_shared<Sender>(CoSocket(Socket(ends[0]))));
  scheduler.new_task(std::make_shared<Receiver>(CoSocket(Socket(ends[1]))));
  scheduler.run();
}
