#include <exception>
#include <iostream>
#include <memory>
#include <optional>
#include <stdexcept>

#include "scheduler.hpp"

class Inner final : public Coroutine {
 public:
  ~Inner() override { std::cout << "the inner one is gone\n"; }

 private:
  std::optional<Yielded> resume(Value) override {
    std::cout << "the inner one throws\n";
    throw std::runtime_error("oh");
  }
};

class Middle final : public Coroutine {
 public:
  ~Middle() override { std::cout << "the middle one is gone\n"; }

 private:
  enum class At { start, called } at_ = At::start;

  std::optional<Yielded> resume(Value) override {
    switch (at_) {
    case At::start:
      std::cout << "the middle one calls\n";
      at_ = At::called;
      return Call{std::make_shared<Inner>()};  // yield Inner()
    case At::called:
      std::cout << "the middle one goes on\n";
    }
    return std::nullopt;
  }
};

class Outer final : public Coroutine {
  enum class At { start, in_try, yielded } at_ = At::start;

  std::optional<Yielded> resume(Value) override {
    switch (at_) {
    case At::start:
      std::cout << "the outer one calls\n";
      at_ = At::in_try;
      return Call{std::make_shared<Middle>()};  // try { yield Middle() }
    case At::in_try:
      at_ = At::yielded;
      return Nothing{};  // yield
    case At::yielded:
      std::cout << "the outer one goes on\n";
    }
    return std::nullopt;
  }

  std::optional<Yielded> resume_with(std::exception_ptr error) override {
    try {
      std::rethrow_exception(error);
    } catch (const std::exception& e) {
      std::cout << "the outer one catches: " << e.what() << '\n';
    }
    return resume(Value());  // and go on behind the try
  }
};

class Other final : public Coroutine {
  std::optional<Yielded> resume(Value) override {
    std::cout << "the other task has its turn\n";
    return std::nullopt;
  }
};

class Careless final : public Coroutine {
  std::optional<Yielded> resume(Value) override { throw std::runtime_error("nobody cares"); }
};

int main() {
  Scheduler scheduler;
  scheduler.on_uncaught(
      [](TaskId id, std::exception_ptr) { std::cout << "task " << id << " has failed\n"; });
  scheduler.new_task(std::make_shared<Outer>());
  scheduler.new_task(std::make_shared<Other>());
  scheduler.new_task(std::make_shared<Careless>());
  scheduler.run();
}
