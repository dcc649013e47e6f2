#include <any>
#include <iostream>
#include <memory>
#include <optional>

#include "process.hpp"
#include "usage.hpp"

/// Asks for its id, takes three steps and ends.
class Steps final : public Coroutine {
  enum class At { start, named, yielded } at_ = At::start;
  TaskId id_ = 0;
  int i_ = 0;

  std::optional<Yielded> resume(Value sent) override {
    switch (at_) {
    case At::start:
      at_ = At::named;
      return get_task_id();  // id = yield get_task_id()
    case At::named:
      id_ = std::any_cast<TaskId>(sent);
      for (i_ = 1; i_ <= 3; ++i_) {
        std::cout << "Task " << id_ << " step " << i_ << ".\n";
        at_ = At::yielded;
        return Nothing{};  // yield
      case At::yielded:;
      }
    }
    return std::nullopt;
  }
};

/// What a task becomes by exec_task(): it asks for its id, and gets the old one.
class AnotherBody final : public Coroutine {
  enum class At { start, named } at_ = At::start;

  std::optional<Yielded> resume(Value sent) override {
    switch (at_) {
    case At::start:
      at_ = At::named;
      return get_task_id();  // id = yield get_task_id()
    case At::named:
      std::cout << "Task " << std::any_cast<TaskId>(sent) << " runs another body.\n";
    }
    return std::nullopt;
  }
};

/// Starts a task, waits for its end, then goes on as AnotherBody.
class Waiting final : public Coroutine {
  enum class At { start, named, child_started, waited, never } at_ = At::start;
  TaskId id_ = 0, child_ = 0;

  std::optional<Yielded> resume(Value sent) override {
    switch (at_) {
    case At::start:
      at_ = At::named;
      return get_task_id();  // id = yield get_task_id()
    case At::named:
      id_ = std::any_cast<TaskId>(sent);
      at_ = At::child_started;
      return new_task(std::make_shared<Steps>());  // child = yield new_task(...)
    case At::child_started:
      child_ = std::any_cast<TaskId>(sent);
      std::cout << "Task " << id_ << " waits for task " << child_ << ".\n";
      at_ = At::waited;
      return wait_task(child_);  // yield wait_task(child)
    case At::waited:
      std::cout << "Task " << id_ << " sees the end of task " << child_ << ".\n";
      at_ = At::never;
      return exec_task(std::make_shared<AnotherBody>());  // yield exec_task(...)
    case At::never:
      std::cout << "This line is never printed.\n";
    }
    return std::nullopt;
  }
};

int main(int argc, char** argv) {
  if (argc > 1) return usage(argv, "process_calls   (a task waits for another, then changes)");

  Scheduler scheduler;
  scheduler.new_task(std::make_shared<Waiting>());
  scheduler.run();
}
