#include <exception>
#include <iostream>
#include <memory>
#include <optional>
#include <stdexcept>

#include "scheduler.hpp"

/// Throws before its first yield.
class Inner final : public Coroutine {
 public:
  ~Inner() override { std::cout << "Inner is destroyed\n"; }

 private:
  std::optional<Yielded> resume(Value) override {
    std::cout << "Inner throws\n";
    throw std::runtime_error("disk full");
  }
};

/// Calls Inner, and doesn't catch.
class Middle final : public Coroutine {
 public:
  ~Middle() override { std::cout << "Middle is destroyed\n"; }

 private:
  enum class State { start, inner_returned };
  State state_ = State::start;

  std::optional<Yielded> resume(Value) override {
    switch (state_) {
    case State::start:
      std::cout << "Middle calls Inner\n";
      state_ = State::inner_returned;
      return Call{std::make_shared<Inner>()};  // yield Inner()
    case State::inner_returned:
      std::cout << "Middle continues\n";
    }
    return std::nullopt;
  }
};

/// Calls Middle inside a `try`, and ends its turn after it.
class Outer final : public Coroutine {
 public:
  ~Outer() override { std::cout << "Outer is destroyed\n"; }

 private:
  enum class State { start, in_try, yielded };
  State state_ = State::start;

  std::optional<Yielded> resume(Value) override {
    switch (state_) {
    case State::start:
      std::cout << "Outer calls Middle\n";
      state_ = State::in_try;
      return Call{std::make_shared<Middle>()};  // try { yield Middle() }
    case State::in_try:
      state_ = State::yielded;
      return Nothing{};  // yield
    case State::yielded:
      std::cout << "Outer continues\n";
    }
    return std::nullopt;
  }

  std::optional<Yielded> resume_with_exception(std::exception_ptr error) override {
    try {
      std::rethrow_exception(error);
    } catch (const std::exception& e) {
      std::cout << "Outer catches: " << e.what() << '\n';
    }
    return resume(Value());  // and continue after the try
  }
};

/// Throws, and no coroutine catches.
class Careless final : public Coroutine {
 public:
  ~Careless() override { std::cout << "Careless is destroyed\n"; }

 private:
  std::optional<Yielded> resume(Value) override { throw std::runtime_error("not caught"); }
};

int main() {
  Scheduler scheduler;
  scheduler.new_task(std::make_shared<Outer>());     // task 1
  scheduler.new_task(std::make_shared<Careless>());  // task 2
  scheduler.run();
}
