// Steps 4 and 7: tasks are killed that wait.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "measures.hpp"
#include "scheduler.hpp"

namespace {

/// Yields a system call that doesn't schedule it again.
class Waits final : public Coroutine {
  std::optional<Yielded> resume(Value) override {
    return SystemCall([](TaskId, Scheduler&) {});
  }
};

class Tasks {
 public:
  explicit Tasks(std::size_t n) {
    for (std::size_t i = 0; i < n; ++i)
      ids_.push_back(scheduler_.new_task(std::make_shared<Waits>()));
    scheduler_.run();
  }

  std::int64_t kill(const std::vector<std::size_t>& order) {
    std::int64_t killed = 0;
    for (const std::size_t i : order) killed += scheduler_.kill_task(ids_[i]);
    scheduler_.run();
    return killed;
  }

 private:
  Scheduler scheduler_;
  std::vector<TaskId> ids_;
};

}  // namespace

BENCHMARK(measure_kill<Tasks>)->Name("kill")->Apply(numbers_of_tasks);
