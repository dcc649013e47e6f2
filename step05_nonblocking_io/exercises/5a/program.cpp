#include <sys/socket.h>

#include <any>
#include <chrono>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <utility>

#include "wait.hpp"

/// Serves one guest, like the Client of `web_server`: reads once, answers, closes.
class Client final : public Coroutine {
 public:
  explicit Client(Socket socket) : socket_(std::move(socket)) {}

 private:
  enum class At { start, readable } at_ = At::start;
  Socket socket_;
  Result<std::string> request_;

  std::optional<Yielded> resume(Value) override {
    switch (at_) {
    case At::start:
      do {
        at_ = At::readable;
        return wait_for_read(socket_);  // yield wait_for_read(socket)
      case At::readable:
        request_ = socket_.read(8192);
      } while (try_again(request_.error));
      if (request_.error) return std::nullopt;
      socket_.write("You said: " + request_.value);
    }
    return std::nullopt;  // the last handle goes, and the socket is closed
  }
};

/// The other side: says something, or nothing, and waits two seconds for what comes.
class Guest final : public Coroutine {
 public:
  Guest(std::string name, std::string words, Socket socket)
      : name_(std::move(name)), words_(std::move(words)), socket_(std::move(socket)) {}

 private:
  enum class At { start, waited } at_ = At::start;
  std::string name_, words_;
  Socket socket_;

  std::optional<Yielded> resume(Value sent) override {
    switch (at_) {
    case At::start:
      if (!words_.empty()) socket_.write(words_);
      at_ = At::waited;
      // error = yield wait_for_read(socket, deadline)
      return wait_for_read(socket_, Clock::now() + std::chrono::seconds(2));
    case At::waited:
      if (std::any_cast<std::error_code>(sent)) {
        std::cout << name_ << " still sits there after two seconds.\n";
      } else if (const std::string heard = socket_.read(8192).value; heard.empty()) {
        std::cout << name_ << " is sent away.\n";
      } else {
        std::cout << name_ << " hears: " << heard << '\n';
      }
    }
    return std::nullopt;
  }
};

/// Two sockets that are connected with each other, a Client at one and a Guest at the other.
void welcome(Scheduler& scheduler, const std::string& name, const std::string& words) {
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, ends) < 0)
    throw std::system_error(errno, std::system_category(), "socketpair");
  scheduler.new_task(std::make_shared<Client>(Socket(ends[0])));
  scheduler.new_task(std::make_shared<Guest>(name, words, Socket(ends[1])));
}

int main() {
  Scheduler scheduler;
  welcome(scheduler, "Ann", "Good evening!");
  welcome(scheduler, "Bob", "");
  scheduler.run();
}
