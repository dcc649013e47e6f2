// Mistake: a system call of one's own that does not put its task back.
// Build: -std=c++17
// It prints: run() has returned, and 1 task still waits.
#include <iostream>
#include <memory>

#include "../../step04_syscalls/process.hpp"

SystemCall answer_42() {
  return [](Task& task, Scheduler&) {
    task.set_send_value(42);  // and then? scheduler.schedule(task) is missing
  };
}

class Asking final : public Coroutine {
  enum class At { start, answered } at_ = At::start;

  std::optional<Yielded> resume(Value) override {
    switch (at_) {
    case At::start:
      at_ = At::answered;
      return answer_42();  // answer = yield answer_42()
    case At::answered:
      std::cout << "Here is the answer.\n";
    }
    return std::nullopt;
  }
};

int main() {
  Scheduler scheduler;
  scheduler.new_task(std::make_shared<Asking>());
  scheduler.run();
  std::cout << "run() has returned, and " << scheduler.living_tasks().size()
            << " task still waits.\n";
}
