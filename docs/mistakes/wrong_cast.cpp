// Mistake: an answer is read as another type.
// Build: -std=c++17
// It complains: terminate called after throwing an instance of 'std::bad_any_cast'
// It ends with: 134
#include <memory>

#include "../../step04_syscalls/process.hpp"

class Asking final : public Coroutine {
  enum class State { start, answered };
  State state_ = State::start;
  int id_ = 0;

  std::optional<Yielded> resume(Value sent) override {
    switch (state_) {
    case State::start:
      state_ = State::answered;
      return get_task_id();  // id = yield get_task_id()
    case State::answered:
      id_ = std::any_cast<int>(sent);  // but the answer is a TaskId
    }
    return std::nullopt;
  }
};

int main() {
  Scheduler scheduler;
  scheduler.new_task(std::make_shared<Asking>());
  scheduler.run();
}
