// Mistake: a system call that is called and not yielded.
// Build: -std=c++17
// It prints: Task 1 finishes.
// It prints: Task 2 still runs.
#include <iostream>
#include <memory>

#include "../../step04_syscalls/process.hpp"

class Killer final : public Coroutine {
  std::optional<Yielded> resume(Value) override {
    kill_task(2);  // creates a system call and destroys it
    std::cout << "Task 1 finishes.\n";
    return std::nullopt;
  }
};

class Victim final : public Coroutine {
  std::optional<Yielded> resume(Value) override {
    std::cout << "Task 2 still runs.\n";
    return std::nullopt;
  }
};

int main() {
  Scheduler scheduler;
  scheduler.new_task(std::make_shared<Killer>());
  scheduler.new_task(std::make_shared<Victim>());
  scheduler.run();
}
