#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "scheduler.hpp"

/// Works, takes a turn if it is slow, and says when it is destroyed.
class Part final : public Coroutine {
 public:
  Part(std::string name, bool slow) : name_(std::move(name)), slow_(slow) {}
  ~Part() override { std::cout << name_ << " part is gone\n"; }

 private:
  enum class At { start, yielded } at_ = At::start;
  std::string name_;
  bool slow_;

  std::optional<Yielded> resume(Value) override {
    switch (at_) {
    case At::start:
      std::cout << name_ << " part works\n";
      if (slow_) {
        at_ = At::yielded;
        return Nothing{};  // yield
      case At::yielded:;
      }
    }
    return std::nullopt;
  }
};

/// Calls a quick part, then a slow one.
class Whole final : public Coroutine {
 public:
  explicit Whole(std::string name) : name_(std::move(name)) {}

 private:
  enum class At { start, quick_done, slow_done } at_ = At::start;
  std::string name_;

  std::optional<Yielded> resume(Value) override {
    switch (at_) {
    case At::start:
      std::cout << name_ << " begins\n";
      at_ = At::quick_done;
      return Call{std::make_shared<Part>(name_ + "'s quick", false)};  // yield Part(...)
    case At::quick_done:
      std::cout << name_ << " goes on\n";
      at_ = At::slow_done;
      return Call{std::make_shared<Part>(name_ + "'s slow", true)};  // yield Part(...)
    case At::slow_done:
      std::cout << name_ << " ends\n";
    }
    return std::nullopt;
  }
};

int main() {
  Scheduler scheduler;
  scheduler.new_task(std::make_shared<Whole>("A"));
  scheduler.new_task(std::make_shared<Whole>("B"));
  scheduler.run();
}
