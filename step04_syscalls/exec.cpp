#include <any>
#include <iostream>
#include <memory>
#include <optional>

#include "process.hpp"
#include "small_unix.hpp"

/// Prints the id of its task and finishes.
class AnotherBody final : public Coroutine {
  enum class State { start, got_id };
  State state_ = State::start;

  std::optional<Yielded> resume(Value sent) override {
    switch (state_) {
    case State::start:
      state_ = State::got_id;
      return get_task_id();  // id = yield get_task_id()
    case State::got_id:
      std::cout << "Task " << std::any_cast<TaskId>(sent) << " runs another body.\n";
    }
    return std::nullopt;
  }
};

/// Prints the id of its task and replaces itself by another body.
class FirstBody final : public Coroutine {
  enum class State { start, got_id, never };
  State state_ = State::start;

  std::optional<Yielded> resume(Value sent) override {
    switch (state_) {
    case State::start:
      state_ = State::got_id;
      return get_task_id();  // id = yield get_task_id()
    case State::got_id:
      std::cout << "Task " << std::any_cast<TaskId>(sent) << " runs its first body.\n";
      state_ = State::never;
      return exec_task(std::make_shared<AnotherBody>());  // yield exec_task(another_body())
    case State::never:
      std::cout << "This line is never printed.\n";
    }
    return std::nullopt;
  }
};

int main() {
  Scheduler scheduler;
  scheduler.new_task(std::make_shared<FirstBody>());
  scheduler.run();
}
