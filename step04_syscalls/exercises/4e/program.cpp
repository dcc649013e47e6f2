#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "process.hpp"

/// Prints five times that it is alive, once per turn.
class Child final : public Coroutine {
 public:
  explicit Child(std::string name) : name_(std::move(name)) {}

 private:
  enum class State { start, yielded };
  State state_ = State::start;
  std::string name_;
  int i_ = 0;

  std::optional<Yielded> resume(Value) override {
    switch (state_) {
    case State::start:
      for (i_ = 1; i_ <= 5; ++i_) {
        std::cout << name_ << " is alive.\n";
        state_ = State::yielded;
        return Nothing{};  // yield
      case State::yielded:;
      }
    }
    std::cout << name_ << " has finished.\n";
    return std::nullopt;
  }
};

/// Starts two children, works for two turns and finishes.
class Parent final : public Coroutine {
  enum class State { start, started_first, started_second, yielded };
  State state_ = State::start;
  int i_ = 0;

  std::optional<Yielded> resume(Value) override {
    switch (state_) {
    case State::start:
      state_ = State::started_first;
      return new_task(std::make_shared<Child>("The daughter"));  // yield new_task(...)
    case State::started_first:
      state_ = State::started_second;
      return new_task(std::make_shared<Child>("The son"));  // yield new_task(...)
    case State::started_second:
      for (i_ = 1; i_ <= 2; ++i_) {
        std::cout << "The parent works.\n";
        state_ = State::yielded;
        return Nothing{};  // yield
      case State::yielded:;
      }
    }
    std::cout << "The parent finishes.\n";
    return std::nullopt;
  }
};

int main() {
  Scheduler scheduler;
  scheduler.new_task(std::make_shared<Parent>());
  scheduler.new_task(std::make_shared<Child>("The neighbour"));
  scheduler.run();
}
