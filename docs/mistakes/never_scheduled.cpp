// Mistake: a system call that does not schedule its task.
// Build: -std=c++17
// It prints: Hello, task 1.
// It prints: run() has returned, but task 1 has not finished.
#include <iostream>
#include <memory>

#include "../../step04_syscalls/scheduler.hpp"

SystemCall greet() {
  return [](TaskId asker, Scheduler&) {
    std::cout << "Hello, task " << asker << ".\n";  // scheduler.schedule(asker) is missing
  };
}

class Greeted final : public Coroutine {
  enum class State { start, greeted };
  State state_ = State::start;

  std::optional<Yielded> resume(Value) override {
    switch (state_) {
    case State::start:
      state_ = State::greeted;
      return greet();  // yield greet()
    case State::greeted:
      std::cout << "This line is never printed.\n";
    }
    return std::nullopt;
  }
};

int main() {
  Scheduler scheduler;
  scheduler.new_task(std::make_shared<Greeted>());
  scheduler.run();
  if (scheduler.find(1)) std::cout << "run() has returned, but task 1 has not finished.\n";
}
