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

/// Calls two coroutines, one after the other. Article: "Stacked coroutines", task() as it was
/// meant.
class Calling final : public Coroutine {
  enum class At { start, foo_done, bar_done } at_ = At::start;

  std::optional<Yielded> resume(Value) override {
    switch (at_) {
    case At::start:
      at_ = At::foo_done;
      return Call{std::make_shared<EchoTimes>("foo", 10)};  // yield EchoTimes("foo", 10)
    case At::foo_done:
      std::cout << "---\n";
      at_ = At::bar_done;
      return Call{std::make_shared<EchoTimes>("bar", 5)};  // yield EchoTimes("bar", 5)
    case At::bar_done:;
    }
    return std::nullopt;
  }
};

int main(int argc, char** argv) {
  if (argc > 1) return usage(argv, "echo_times   (a coroutine calls two others)");

  Scheduler scheduler;
  scheduler.new_task(std::make_shared<Calling>());
  scheduler.run();
}
