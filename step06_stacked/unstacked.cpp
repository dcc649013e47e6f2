#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "scheduler.hpp"
#include "usage.hpp"

/// Prints a text so many times, once a turn. Article: "Stacked coroutines", echoTimes().
class EchoTimes final : public Coroutine {
 public:
  EchoTimes(std::string text, int times) : text_(std::move(text)), times_(times) {}

 private:
  enum class At { start, yielded } at_ = At::start;
  std::string text_;
  int times_, i_ = 0;

  std::optional<Yielded> resume(Value) override {
    switch (at_) {
    case At::start:
      for (i_ = 1; i_ <= times_; ++i_) {
        std::cout << text_ << " iteration " << i_ << '\n';
        at_ = At::yielded;
        return Nothing{};  // yield
      case At::yielded:;
      }
    }
    return std::nullopt;
  }
};

/// Makes two coroutines and does not call them. Article: "Stacked coroutines", the first task().
class NotCalling final : public Coroutine {
  enum class At { start, yielded } at_ = At::start;

  std::optional<Yielded> resume(Value) override {
    switch (at_) {
    case At::start:
      std::make_shared<EchoTimes>("foo", 10);  // only makes it
      std::cout << "---\n";
      std::make_shared<EchoTimes>("bar", 5);
      at_ = At::yielded;
      return Nothing{};  // yield
    case At::yielded:;
    }
    return std::nullopt;
  }
};

int main(int argc, char** argv) {
  if (argc > 1) return usage(argv, "unstacked   (shows that making a coroutine does not run it)");

  Scheduler scheduler;
  scheduler.new_task(std::make_shared<NotCalling>());
  scheduler.run();
}
