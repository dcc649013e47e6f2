// Step 8: the compiler writes the state machines.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "measures.hpp"
#include "process.hpp"

namespace {

Coroutine<> ask_for_id(benchmark::State* state, std::int64_t* answers) {
  while (state->KeepRunning()) {
    const TaskId id = co_await get_task_id();
    *answers += id;  // the id is 1
  }
}

void system_call(benchmark::State& state) {
  Scheduler scheduler;
  std::int64_t answers = 0;
  scheduler.new_task(ask_for_id(&state, &answers));
  scheduler.run();
  expect(state, answers);
}

Coroutine<> nested(std::int64_t depth, benchmark::State* state, std::int64_t* yields) {
  if (depth > 1) {
    co_await nested(depth - 1, state, yields);
    co_return;
  }
  while (state->KeepRunning()) {
    co_yield nothing;
    ++*yields;
  }
}

void yield_at_depth(benchmark::State& state) {
  Scheduler scheduler;
  std::int64_t yields = 0;
  scheduler.new_task(nested(state.range(0), &state, &yields));
  scheduler.run();
  expect(state, yields);
}

Coroutine<> empty(std::int64_t* ended) {
  ++*ended;
  co_return;
}

Coroutine<> caller(benchmark::State* state, std::int64_t* calls) {
  while (state->KeepRunning()) {
    co_await empty(calls);
  }
}

void call(benchmark::State& state) {
  Scheduler scheduler;
  std::int64_t calls = 0;
  scheduler.new_task(caller(&state, &calls));
  scheduler.run();
  expect(state, calls);
}

/// Returns a system call that doesn't schedule its task again.
SystemCall<> wait_forever() {
  return [](TaskId, Scheduler&) {};
}

Coroutine<> waits() {
  co_await wait_forever();
}

class Tasks {
 public:
  explicit Tasks(std::size_t n) {
    for (std::size_t i = 0; i < n; ++i) ids_.push_back(scheduler_.new_task(waits()));
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

void spawn(benchmark::State& state) {
  Scheduler scheduler;
  std::int64_t ended = 0;
  while (state.KeepRunningBatch(spawned_at_once)) {
    for (int i = 0; i < spawned_at_once; ++i) scheduler.new_task(empty(&ended));
    scheduler.run();
  }
  expect(state, ended);
}

}  // namespace

BENCHMARK(system_call);
BENCHMARK(yield_at_depth)->Apply(depths);
BENCHMARK(call);
BENCHMARK(measure_kill<Tasks>)->Name("kill")->Apply(numbers_of_tasks);
BENCHMARK(spawn);
