#include <iostream>
#include <memory>
#include <optional>

#include "scheduler.hpp"
#include "usage.hpp"

/// Ten iterations. Article: "Cooperative multitasking", task1().
class Task1 final : public Coroutine {
  enum class At { start, yielded } at_ = At::start;
  int i_ = 0;

  std::optional<Yielded> resume(Value) override {
    switch (at_) {
    case At::start:
      for (i_ = 1; i_ <= 10; ++i_) {
        std::cout << "This is task 1 iteration " << i_ << ".\n";
        at_ = At::yielded;
        return Nothing{};  // yield
      case At::yielded:;
      }
    }
    return std::nullopt;
  }
};

/// Five iterations. Article: "Cooperative multitasking", task2().
class Task2 final : public Coroutine {
  enum class At { start, yielded } at_ = At::start;
  int i_ = 0;

  std::optional<Yielded> resume(Value) override {
    switch (at_) {
    case At::start:
      for (i_ = 1; i_ <= 5; ++i_) {
        std::cout << "This is task 2 iteration " << i_ << ".\n";
        at_ = At::yielded;
        return Nothing{};  // yield
      case At::yielded:;
      }
    }
    return std::nullopt;
  }
};

int main(int argc, char** argv) {
  if (argc > 1) return usage(argv, "two_tasks   (two tasks take turns)");

  Scheduler scheduler;
  scheduler.new_task(std::make_shared<Task1>());
  scheduler.new_task(std::make_shared<Task2>());
  scheduler.run();
}
