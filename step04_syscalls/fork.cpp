#include <any>
#include <iostream>
#include <memory>
#include <optional>

#include "process.hpp"
#include "usage.hpp"

/// Counts to three and forks. Original and copy go on in the same place with the same count.
class Forking final : public Coroutine {
 public:
  std::shared_ptr<Coroutine> clone() const override { return std::make_shared<Forking>(*this); }

 private:
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

int main(int argc, char** argv) {
  if (argc > 1) return usage(argv, "fork   (a task makes a copy of itself)");

  Scheduler scheduler;
  scheduler.new_task(std::make_shared<Forking>());
  scheduler.run();
}
