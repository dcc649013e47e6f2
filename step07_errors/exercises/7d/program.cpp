#include <any>
#include <exception>
#include <iostream>
#include <memory>
#include <optional>
#include <stdexcept>

#include "process.hpp"

/// Fails in its second turn.
class Oven final : public Coroutine {
  enum class State { start, yielded };
  State state_ = State::start;

  std::optional<Yielded> resume(Value) override {
    switch (state_) {
    case State::start:
      state_ = State::yielded;
      return Nothing{};  // yield
    case State::yielded:
      throw std::runtime_error("no gas");
    }
    return std::nullopt;
  }
};

/// Starts an oven and waits for its end.
class Baker final : public Coroutine {
  enum class State { start, started_oven, in_try };
  State state_ = State::start;

  std::optional<Yielded> resume(Value sent) override {
    switch (state_) {
    case State::start:
      state_ = State::started_oven;
      return new_task(std::make_shared<Oven>());  // id = yield new_task(Oven())
    case State::started_oven:
      state_ = State::in_try;
      return wait_task(std::any_cast<TaskId>(sent));  // try { yield wait_task(id) }
    case State::in_try:
      std::cout << "The oven has finished.\n";
    }
    return std::nullopt;
  }

  std::optional<Yielded> resume_with_exception(std::exception_ptr error) override {
    try {
      std::rethrow_exception(error);
    } catch (const std::exception& e) {
      std::cout << "The oven has failed: " << e.what() << '\n';
    }
    return std::nullopt;
  }
};

int main() {
  Scheduler scheduler;
  scheduler.new_task(std::make_shared<Baker>());
  scheduler.run();
}
