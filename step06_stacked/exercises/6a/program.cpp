#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "scheduler.hpp"

/// Runs, yields once if it is slow, and prints a line when it is destroyed.
class Callee final : public Coroutine {
 public:
  Callee(std::string name, bool slow) : name_(std::move(name)), slow_(slow) {}
  ~Callee() override { std::cout << name_ << " callee is destroyed\n"; }

 private:
  enum class State { start, yielded };
  State state_ = State::start;
  std::string name_;
  bool slow_;

  std::optional<Yielded> resume(Value) override {
    switch (state_) {
    case State::start:
      std::cout << name_ << " callee runs\n";
      if (slow_) {
        state_ = State::yielded;
        return Nothing{};  // yield
      case State::yielded:;
      }
    }
    return std::nullopt;
  }
};

/// Calls a quick callee, then a slow one.
class Caller final : public Coroutine {
 public:
  explicit Caller(std::string name) : name_(std::move(name)) {}

 private:
  enum class State { start, called_quick, called_slow };
  State state_ = State::start;
  std::string name_;

  std::optional<Yielded> resume(Value) override {
    switch (state_) {
    case State::start:
      std::cout << name_ << " starts\n";
      state_ = State::called_quick;
      return Call{std::make_shared<Callee>(name_ + "'s quick", false)};  // yield Callee(...)
    case State::called_quick:
      std::cout << name_ << " continues\n";
      state_ = State::called_slow;
      return Call{std::make_shared<Callee>(name_ + "'s slow", true)};  // yield Callee(...)
    case State::called_slow:
      std::cout << name_ << " finishes\n";
    }
    return std::nullopt;
  }
};

int main() {
  Scheduler scheduler;
  scheduler.new_task(std::make_shared<Caller>("A"));
  scheduler.new_task(std::make_shared<Caller>("B"));
  scheduler.run();
}
