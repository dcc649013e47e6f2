// Mistake: a task calls a function that blocks. The program never ends.
// Build: -std=c++17
// It prints: The reader calls read().
// It ends with: 124
#include <unistd.h>

#include <iostream>
#include <memory>

#include "../../step03_scheduler/scheduler.hpp"

class Reader final : public Coroutine {
 public:
  explicit Reader(int pipe) : pipe_(pipe) {}

 private:
  int pipe_;

  std::optional<Yielded> resume(Value) override {
    char byte = 0;
    std::cout << "The reader calls read()." << std::endl;
    const auto count = read(pipe_, &byte, 1);  // stops all tasks
    std::cout << count << " byte has arrived." << std::endl;
    return std::nullopt;
  }
};

class Writer final : public Coroutine {
 public:
  explicit Writer(int pipe) : pipe_(pipe) {}

 private:
  int pipe_;

  std::optional<Yielded> resume(Value) override {
    std::cout << "The writer writes." << std::endl;
    if (write(pipe_, "x", 1) != 1) std::cout << "The pipe is full." << std::endl;
    return std::nullopt;
  }
};

int main() {
  int pipes[2];
  if (pipe(pipes) != 0) return 1;
  Scheduler scheduler;
  scheduler.new_task(std::make_shared<Reader>(pipes[0]));
  scheduler.new_task(std::make_shared<Writer>(pipes[1]));
  scheduler.run();
}
