// Mistake: a body calls the scheduler and kills its own task.
// Build: -std=c++17 -g -fsanitize=address
// AddressSanitizer says: heap-use-after-free
#include <memory>

#include "../../step04_syscalls/scheduler.hpp"

class Leaving final : public Coroutine {
 public:
  explicit Leaving(Scheduler& scheduler) : scheduler_(scheduler) {}

 private:
  Scheduler& scheduler_;
  int turns_ = 0;

  std::optional<Yielded> resume(Value) override {
    scheduler_.kill_task(1);  // destroys this object
    ++turns_;                 // a member of the destroyed object
    return std::nullopt;
  }
};

int main() {
  Scheduler scheduler;
  scheduler.new_task(std::make_shared<Leaving>(scheduler));
  scheduler.run();
}
