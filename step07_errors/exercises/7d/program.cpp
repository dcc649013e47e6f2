#include <any>
#include <exception>
#include <iostream>
#include <memory>
#include <optional>
#include <stdexcept>

#include "process.hpp"

/// Fails in its second turn.
class Oven final : public Coroutine {
  enum class At { start, yielded } at_ = At::start;

  std::optional<Yielded> resume(Value) override {
    switch (at_) {
    case At::start:
      at_ = At::yielded;
      return Nothing{};  // yield
    case At::yielded:
      throw std::runtime_error("no gas");
    }
    return std::nullopt;
  }
};

/// Starts an oven and waits for its end.
class Baker final : public Coroutine {
  enum class At { start, started, in_try } at_ = At::start;

  std::optional<Yielded> resume(Value sent) override {
    switch (at_) {
    case At::start:
      at_ = At::started;
      return new_task(std::make_shared<Oven>());  // id = yield new_task(Oven())
    case At::started:
      at_ = At::in_try;
      return wait_task(std::any_cast<TaskId>(sent));  // try { yield wait_task(id) }
    case At::in_try:
      std::cout << "the oven is done\n";
    }
    return std::nullopt;
  }

  std::optional<Yielded> resume_with(std::exception_ptr error) override {
    try {
      std::rethrow_exception(error);
    } catch (const std::exception& e) {
      std::cout << "the oven has failed: " << e.what() << '\n';
    }
    return std::nullopt;
  }
};

int main() {
  Scheduler scheduler;
  scheduler.on_uncaught([](TaskId id, std::exception_ptr) {
    std::cout << "task " << id << " was ended by an exception\n";
  });
  scheduler.new_task(std::make_shared<Baker>());
  scheduler.run();
}
