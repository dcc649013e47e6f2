#include <any>
#include <iostream>
#include <memory>
#include <optional>

#include "mailbox.hpp"
#include "usage.hpp"

/// Prints what it receives, for ever. Recipe 12.12, printer().
class Printer final : public Coroutine {
  enum class At { start, received } at_ = At::start;

  std::optional<Yielded> resume(Value sent) override {
    switch (at_) {
    case At::start:
      while (true) {
        at_ = At::received;
        return receive_message();  // message = yield receive_message()
      case At::received:
        std::cout << "Got: " << std::any_cast<int>(sent) << '\n';
      }
    }
    return std::nullopt;  // never reached
  }
};

/// Receives n, sends it to the printer and n - 1 to itself, until it gets 0. Recipe 12.12,
/// counter().
class Counter final : public Coroutine {
  enum class At { start, received, printed, counted } at_ = At::start;
  int n_ = 0;

  std::optional<Yielded> resume(Value sent) override {
    switch (at_) {
    case At::start:
      while (true) {
        at_ = At::received;
        return receive_message();  // n = yield receive_message()
      case At::received:
        n_ = std::any_cast<int>(sent);
        if (n_ == 0) break;
        at_ = At::printed;
        return send_message("printer", n_);  // yield send_message("printer", n)
      case At::printed:
        at_ = At::counted;
        return send_message("counter", n_ - 1);  // yield send_message("counter", n - 1)
      case At::counted:;
      }
    }
    return std::nullopt;
  }
};

int main(int argc, char** argv) {
  if (argc > 1) return usage(argv, "actors   (two tasks send each other messages)");

  Scheduler scheduler;
  scheduler.new_task(std::make_shared<Printer>(), "printer");
  scheduler.new_task(std::make_shared<Counter>(), "counter");
  scheduler.send_message("counter", 10000);
  scheduler.run();
}
