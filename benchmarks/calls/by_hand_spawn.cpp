// Steps 4 and 7: a task is started and runs to its end.

#include <cstdint>
#include <memory>
#include <optional>

#include "measures.hpp"
#include "scheduler.hpp"

namespace {

class Empty final : public Coroutine {
 public:
  explicit Empty(std::int64_t& ended) : ended_(ended) {}

 private:
  std::int64_t& ended_;

  std::optional<Yielded> resume(Value) override {
    ++ended_;
    return std::nullopt;
  }
};

void spawn(benchmark::State& state) {
  Scheduler scheduler;
  std::int64_t ended = 0;
  while (state.KeepRunningBatch(spawned_at_once)) {
    for (int i = 0; i < spawned_at_once; ++i) scheduler.new_task(std::make_shared<Empty>(ended));
    scheduler.run();
  }
  expect(state, ended);
}

}  // namespace

BENCHMARK(spawn);
