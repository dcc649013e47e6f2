// Mistake: a task calls a function that blocks. The program never ends.
// Build: -std=c++17
// It prints: The reader calls read().
// It ends with: 124
#include <unistd.h>

#include <iostream>
#include <memory>

#include "../../step03_scheduler/scheduler.hpp"

int pipes[2];

class Reader final : public Coroutine {
  std::optional<Yielded> resume(Value) override {
    char byte = 0;
    std::cout << "The reader calls read()." << std::endl;
    const auto count = read(pipes[0], &byte, 1);  // stops all tasks
    std::cout << count << " byte has arrived." << std::endl;
    return std::nullopt;
  }
};

class Writer final : public Coroutine {
  std::optional<Yielded> resume(Value) override {
    const auto count = write(pipes[1], "x", 1);
    std::cout << count << " byte has been written." << std::endl;
    return std::nullopt;
  }
};

int main() {
  if (pipe(pipes) != 0) return 1;
  Scheduler scheduler;
  scheduler.new_task(std::make_shared<Reader>());
  scheduler.new_task(std::make_shared<Writer>());
  scheduler.run();
}
