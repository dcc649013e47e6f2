#include <sys/socket.h>

#include <any>
#include <cerrno>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <utility>

#include "process.hpp"
#include "wait.hpp"

/// Waits until there is something to read, and prints it.
class Reader final : public Coroutine {
 public:
  explicit Reader(Socket socket) : socket_(std::move(socket)) {}

 private:
  enum class State { start, got_id, readable };
  State state_ = State::start;
  Socket socket_;
  TaskId id_ = 0;

  std::optional<Yielded> resume(Value sent) override {
    switch (state_) {
    case State::start:
      state_ = State::got_id;
      return get_task_id();  // id = yield get_task_id()
    case State::got_id:
      id_ = std::any_cast<TaskId>(sent);
      state_ = State::readable;
      return wait_for_read(socket_);  // yield wait_for_read(socket)
    case State::readable:
      std::cout << "Reader " << id_ << ": "
                << socket_.read(100).value_or("woken, but there is nothing to read") << '\n';
    }
    return std::nullopt;
  }
};

/// Works for a few turns, writes to the second reader, works again, and writes to the first one.
class Writer final : public Coroutine {
 public:
  Writer(Socket first, Socket second) : first_(std::move(first)), second_(std::move(second)) {}

 private:
  enum class State { start, yielded };
  State state_ = State::start;
  Socket first_, second_;
  int turn_ = 0;

  std::optional<Yielded> resume(Value) override {
    switch (state_) {
    case State::start:
      for (turn_ = 1; turn_ <= 10; ++turn_) {
        if (turn_ == 4) second_.write("Good morning!");
        if (turn_ == 8) first_.write("Good evening!");
        state_ = State::yielded;
        return Nothing{};  // yield
      case State::yielded:;
      }
    }
    return std::nullopt;
  }
};

/// Two sockets that are connected with each other.
std::pair<Socket, Socket> socket_pair() {
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, ends) < 0)
    throw std::system_error(errno, std::system_category(), "socketpair");
  return {Socket(ends[0]), Socket(ends[1])};
}

int main() {
  const auto [reader1, writer1] = socket_pair();
  const auto [reader2, writer2] = socket_pair();
  Scheduler scheduler;
  scheduler.new_task(std::make_shared<Reader>(reader1));
  scheduler.new_task(std::make_shared<Reader>(reader2));
  scheduler.new_task(std::make_shared<Writer>(writer1, writer2));
  scheduler.run();
}
