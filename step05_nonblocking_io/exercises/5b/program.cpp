#include <sys/socket.h>

#include <any>
#include <chrono>
#include <iostream>
#include <memory>
#include <optional>
#include <system_error>
#include <utility>

#include "wait.hpp"

using std::chrono::milliseconds;

/// Two sockets that are connected with each other.
struct Pair {
  Pair() {
    int ends[2];
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, ends) < 0)
      throw std::system_error(errno, std::system_category(), "socketpair");
    here = Socket(ends[0]);
    there = Socket(ends[1]);
  }
  Socket here, there;
};

/// Waits for a socket and says how that ended.
class Waiting final : public Coroutine {
 public:
  Waiting(int number, Socket socket, milliseconds patience)
      : number_(number), socket_(std::move(socket)), patience_(patience) {}

 private:
  enum class At { start, waited } at_ = At::start;
  int number_;
  Socket socket_;
  milliseconds patience_;

  std::optional<Yielded> resume(Value sent) override {
    switch (at_) {
    case At::start:
      at_ = At::waited;
      // error = yield wait_for_read(socket, deadline)
      return wait_for_read(socket_, Clock::now() + patience_);
    case At::waited:
      const auto error = std::any_cast<std::error_code>(sent);
      std::cout << "Wait " << number_ << " is over: "
                << (!error                                   ? "ready"
                    : error == std::errc::operation_canceled ? "closed"
                                                             : "timed out")
                << ".\n";
    }
    return std::nullopt;
  }
};

int main() {
  Pair first, second, third;
  Scheduler scheduler;
  scheduler.new_task(std::make_shared<Waiting>(1, first.here, milliseconds(1000)));
  scheduler.new_task(std::make_shared<Waiting>(2, second.here, milliseconds(1000)));
  scheduler.new_task(std::make_shared<Waiting>(3, third.here, milliseconds(100)));
  first.there.write("hello");
  second.here.close();
  scheduler.run();
}
