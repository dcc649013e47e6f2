#include <any>
#include <iostream>
#include <memory>
#include <optional>

#include "ann_and_bob.hpp"

/// Asks for its id, yields once, and kills a task.
class Carl final : public Coroutine {
 public:
  explicit Carl(TaskId victim) : victim_(victim) {}

 private:
  enum class State { start, got_id, yielded, killed };
  State state_ = State::start;
  TaskId victim_, id_ = 0;

  std::optional<Yielded> resume(Value sent) override {
    switch (state_) {
    case State::start:
      state_ = State::got_id;
      return get_task_id();  // id = yield get_task_id()
    case State::got_id:
      id_ = std::any_cast<TaskId>(sent);
      state_ = State::yielded;
      return Nothing{};  // yield
    case State::yielded:
      std::cout << "Task " << id_ << " kills task " << victim_ << ".\n";
      state_ = State::killed;
      return kill_task(victim_);  // yield kill_task(victim)
    case State::killed:;
    }
    return std::nullopt;
  }
};

int main() {
  Scheduler scheduler;
  scheduler.new_task(std::make_shared<Ann>());    // task 1
  scheduler.new_task(std::make_shared<Carl>(3));  // task 2; Bob will be task 3
  scheduler.run();
}
