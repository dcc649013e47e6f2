#include <any>
#include <iostream>
#include <memory>
#include <optional>

#include "process.hpp"

/// Task `me` waits for the end of task `other`.
class Waiting final : public Coroutine {
 public:
  Waiting(TaskId me, TaskId other) : me_(me), other_(other) {}

 private:
  enum class At { start, waited } at_ = At::start;
  TaskId me_, other_;

  std::optional<Yielded> resume(Value sent) override {
    switch (at_) {
    case At::start:
      std::cout << me_ << " waits for " << other_ << '\n';
      at_ = At::waited;
      return wait_task(other_);  // answer = yield wait_task(other)
    case At::waited:
      std::cout << me_ << " got " << (std::any_cast<bool>(sent) ? "true" : "false") << '\n';
    }
    return std::nullopt;
  }
};

int main() {
  Scheduler scheduler;
  scheduler.new_task(std::make_shared<Waiting>(1, 2));
  scheduler.new_task(std::make_shared<Waiting>(2, 1));
  scheduler.new_task(std::make_shared<Waiting>(3, 3));
  scheduler.new_task(std::make_shared<Waiting>(4, 3));
  scheduler.run();

  std::cout << "alive:";
  for (const TaskId id : scheduler.living_tasks()) std::cout << ' ' << id;
  std::cout << '\n';
}
