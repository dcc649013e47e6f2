#include <exception>
#include <iostream>
#include <memory>
#include <optional>
#include <stdexcept>

#include "process.hpp"

/// Kills a task. Throws `std::invalid_argument` if there is no such task.
SystemCall kill_existing_task(TaskId id) {
  return [id](TaskId asker, Scheduler& scheduler) {
    if (!scheduler.kill_task(id)) throw std::invalid_argument("Invalid task ID!");
    scheduler.schedule(asker);
  };
}

/// Tries to kill a task that does not exist. Article: "Error handling", task(), without the `try`.
class Killer final : public Coroutine {
  enum class State { start, killed };
  State state_ = State::start;

  std::optional<Yielded> resume(Value) override {
    switch (state_) {
    case State::start:
      state_ = State::killed;
      return kill_existing_task(500);  // yield kill_existing_task(500)
    case State::killed:
      std::cout << "This line is never printed.\n";
    }
    return std::nullopt;
  }
};

/// Has nothing to do with the killer. Prints three lines, one per turn.
class Bystander final : public Coroutine {
  enum class State { start, yielded };
  State state_ = State::start;
  int i_ = 0;

  std::optional<Yielded> resume(Value) override {
    switch (state_) {
    case State::start:
      for (i_ = 1; i_ <= 3; ++i_) {
        std::cout << "Bystander: line " << i_ << " of 3.\n";
        state_ = State::yielded;
        return Nothing{};  // yield
      case State::yielded:;
      }
    }
    return std::nullopt;
  }
};

int main() {
  Scheduler scheduler;
  scheduler.new_task(std::make_shared<Bystander>());
  scheduler.new_task(std::make_shared<Killer>());
  try {
    scheduler.run();
    std::cout << "run() has returned.\n";
  } catch (const std::exception& error) {
    std::cout << "run() has thrown: " << error.what() << '\n';
  }
}
