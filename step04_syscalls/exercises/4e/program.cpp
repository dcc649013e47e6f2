#include <any>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "process.hpp"

/// Says five times that it is alive.
class Child final : public Coroutine {
 public:
  explicit Child(std::string name) : name_(std::move(name)) {}

 private:
  enum class At { start, yielded } at_ = At::start;
  std::string name_;
  int i_ = 0;

  std::optional<Yielded> resume(Value) override {
    switch (at_) {
    case At::start:
      for (i_ = 1; i_ <= 5; ++i_) {
        std::cout << name_ << " is alive.\n";
        at_ = At::yielded;
        return Nothing{};  // yield
      case At::yielded:;
      }
    }
    std::cout << name_ << " has done its work.\n";
    return std::nullopt;
  }
};

/// Starts two children, works for two turns and goes.
class Parent final : public Coroutine {
  enum class At { start, first, second, yielded } at_ = At::start;
  int i_ = 0;

  std::optional<Yielded> resume(Value) override {
    switch (at_) {
    case At::start:
      at_ = At::first;
      return new_task(std::make_shared<Child>("The daughter"));  // yield new_task(...)
    case At::first:
      at_ = At::second;
      return new_task(std::make_shared<Child>("The son"));  // yield new_task(...)
    case At::second:
      for (i_ = 1; i_ <= 2; ++i_) {
        std::cout << "The parent works.\n";
        at_ = At::yielded;
        return Nothing{};  // yield
      case At::yielded:;
      }
    }
    std::cout << "The parent goes.\n";
    return std::nullopt;
  }
};

int main() {
  Scheduler scheduler;
  scheduler.new_task(std::make_shared<Parent>());
  scheduler.new_task(std::make_shared<Child>("The neighbour"));
  scheduler.run();
}
