#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "scheduler.hpp"

/// Prints its name three times, once per turn.
class Speaker final : public Coroutine {
 public:
  explicit Speaker(std::string name) : name_(std::move(name)) {}

 private:
  enum class State { start, yielded };
  State state_ = State::start;
  std::string name_;
  int i_ = 0;

  std::optional<Yielded> resume(Value) override {
    switch (state_) {
    case State::start:
      for (i_ = 1; i_ <= 3; ++i_) {
        std::cout << name_ << " has turn " << i_ << ".\n";
        state_ = State::yielded;
        return Nothing{};  // yield
      case State::yielded:;
      }
    }
    return std::nullopt;
  }
};

/// Creates four tasks, of which the last two are urgent.
void call(Scheduler& scheduler) {
  scheduler.new_task(std::make_shared<Speaker>("The cook"));
  scheduler.new_task(std::make_shared<Speaker>("The gardener"));
  scheduler.new_task(std::make_shared<Speaker>("The doctor"));        // urgent
  scheduler.new_task(std::make_shared<Speaker>("The fire brigade"));  // urgent
}

int main() {
  Scheduler scheduler;
  call(scheduler);
  scheduler.run();
}
