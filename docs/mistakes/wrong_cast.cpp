// Mistake: an answer that is taken for another type.
// Build: -std=c++17
// It complains: terminate called after throwing an instance of 'std::bad_any_cast'
// It ends with: 134
#include <memory>

#include "../../step04_syscalls/process.hpp"

class Asking final : public Coroutine {
  enum class At { start, answered } at_ = At::start;
  int id_ = 0;

  std::optional<Yielded> resume(Value sent) override {
    switch (at_) {
    case At::start:
      at_ = At::answered;
      return get_task_id();  // id = yield get_task_id()
    case At::answered:
      id_ = std::any_cast<int>(sent);  // but it is a TaskId, and that is 64 bits wide
    }
    return std::nullopt;
  }
};

int main() {
  Scheduler scheduler;
  scheduler.new_task(std::make_shared<Asking>());
  scheduler.run();
}
