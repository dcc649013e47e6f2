#include <iostream>
#include <memory>
#include <optional>

#include "process.hpp"

/// Task `me` waits for task `other`.
class Waiting final : public Coroutine {
 public:
  Waiting(TaskId me, TaskId other) : me_(me), other_(other) {}

 private:
  enum class State { start, waited };
  State state_ = State::start;
  TaskId me_, other_;

  std::optional<Yielded> resume(Value) override {
    switch (state_) {
    case State::start:
      std::cout << me_ << " waits for " << other_ << '\n';
      state_ = State::waited;
      return wait_task(other_);  // yield wait_task(other)
    case State::waited:
      std::cout << me_ << " continues\n";
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
  scheduler.new_task(std::make_shared<Waiting>(5, 9));
  scheduler.run();

  std::cout << "not finished:";
  for (TaskId id = 1; id <= 5; ++id) {
    if (scheduler.find(id)) std::cout << ' ' << id;
  }
  std::cout << '\n';
}
