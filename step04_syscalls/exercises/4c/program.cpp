#include <any>
#include <exception>
#include <iostream>
#include <memory>
#include <optional>

#include "process.hpp"

/// Counts to three and forks, but does not say how it is copied: it does not override clone().
class Forking final : public Coroutine {
  enum class At { start, named, counted, forked, named_again } at_ = At::start;
  TaskId id_ = 0, child_ = 0;
  int count_ = 0;

  std::optional<Yielded> resume(Value sent) override {
    switch (at_) {
    case At::start:
      at_ = At::named;
      return get_task_id();  // id = yield get_task_id()
    case At::named:
      id_ = std::any_cast<TaskId>(sent);
      while (count_ < 3) {
        ++count_;
        at_ = At::counted;
        return Nothing{};  // yield
      case At::counted:;
      }
      std::cout << "Task " << id_ << " has counted to " << count_ << " and forks.\n";
      at_ = At::forked;
      return fork_task();  // child = yield fork_task()
    case At::forked:
      child_ = sent.has_value() ? std::any_cast<TaskId>(sent) : 0;
      at_ = At::named_again;
      return get_task_id();  // id = yield get_task_id(): the copy still has the original's
    case At::named_again:
      id_ = std::any_cast<TaskId>(sent);
      if (child_ == 0) {
        std::cout << "Task " << id_ << " is the copy and has counted to " << count_ << ".\n";
      } else {
        std::cout << "Task " << id_ << " is the original; its child is task " << child_ << ".\n";
      }
    }
    return std::nullopt;
  }
};

int main() {
  Scheduler scheduler;
  scheduler.new_task(std::make_shared<Forking>());
  try {
    scheduler.run();
  } catch (const std::exception& error) {
    std::cout << "An exception has left run(): " << error.what() << '\n';
  }
}
