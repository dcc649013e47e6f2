#include <any>
#include <iostream>
#include <memory>
#include <optional>

#include "process.hpp"
#include "usage.hpp"

/// Lives until it is killed. Article: "Communicating with the scheduler", childTask().
class Child final : public Coroutine {
  enum class At { start, named, yielded } at_ = At::start;
  TaskId id_ = 0;

  std::optional<Yielded> resume(Value sent) override {
    switch (at_) {
    case At::start:
      at_ = At::named;
      return get_task_id();  // id = yield get_task_id()
    case At::named:
      id_ = std::any_cast<TaskId>(sent);
      while (true) {
        std::cout << "Child task " << id_ << " still alive!\n";
        at_ = At::yielded;
        return Nothing{};  // yield
      case At::yielded:;
      }
    }
    return std::nullopt;  // never reached
  }
};

/// Starts a child and kills it. Article: "Communicating with the scheduler", task().
class Parent final : public Coroutine {
  enum class At { start, named, child_started, worked, killed } at_ = At::start;
  TaskId id_ = 0, child_ = 0;
  int i_ = 0;

  std::optional<Yielded> resume(Value sent) override {
    switch (at_) {
    case At::start:
      at_ = At::named;
      return get_task_id();  // id = yield get_task_id()
    case At::named:
      id_ = std::any_cast<TaskId>(sent);
      at_ = At::child_started;
      return new_task(std::make_shared<Child>());  // child = yield new_task(...)
    case At::child_started:
      child_ = std::any_cast<TaskId>(sent);
      for (i_ = 1; i_ <= 6; ++i_) {
        std::cout << "Parent task " << id_ << " iteration " << i_ << ".\n";
        at_ = At::worked;
        return Nothing{};  // yield
      case At::worked:
        if (i_ == 3) {
          at_ = At::killed;
          return kill_task(child_);  // yield kill_task(child)
        }
        [[fallthrough]];
      case At::killed:;
      }
    }
    return std::nullopt;  // the end of the function
  }
};

int main(int argc, char** argv) {
  if (argc > 1) return usage(argv, "parent_child   (a task starts another one and kills it)");

  Scheduler scheduler;
  scheduler.new_task(std::make_shared<Parent>());
  scheduler.run();
}
