// Step 9. It has no system calls. The nearest operation is to await a task that has finished.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "coop/core/wait.hpp"
#include "coop/timer_reactor.hpp"
#include "measures.hpp"

namespace {

void run(coop::Coroutine<> main) {
  coop::TimerReactor reactor;
  coop::Scheduler scheduler(reactor);
  scheduler.run(std::move(main));
}

coop::Coroutine<std::int64_t> one() {
  co_return 1;
}

coop::Coroutine<> ask_for_result(benchmark::State* state, std::int64_t* answers) {
  const coop::Handle<std::int64_t> task = coop::spawn(one());
  co_await coop::yield();
  while (state->KeepRunning()) {
    const std::int64_t answer = co_await task;
    *answers += answer;
  }
}

void system_call(benchmark::State& state) {
  std::int64_t answers = 0;
  run(ask_for_result(&state, &answers));
  expect(state, answers);
}

coop::Coroutine<> nested(std::int64_t depth, benchmark::State* state, std::int64_t* yields) {
  if (depth > 1) {
    co_await nested(depth - 1, state, yields);
    co_return;
  }
  while (state->KeepRunning()) {
    co_await coop::yield();
    ++*yields;
  }
}

void yield_at_depth(benchmark::State& state) {
  std::int64_t yields = 0;
  run(nested(state.range(0), &state, &yields));
  expect(state, yields);
}

coop::Coroutine<> empty(std::int64_t* ended) {
  ++*ended;
  co_return;
}

coop::Coroutine<> caller(benchmark::State* state, std::int64_t* calls) {
  while (state->KeepRunning()) {
    co_await empty(calls);
  }
}

void call(benchmark::State& state) {
  std::int64_t calls = 0;
  run(caller(&state, &calls));
  expect(state, calls);
}

/// Counts its destruction.
struct Counted {
  explicit Counted(std::int64_t* counter) : counter_(counter) {}
  Counted(const Counted&) = delete;
  ~Counted() { ++*counter_; }
  std::int64_t* counter_;
};

coop::Coroutine<> wait_forever(std::int64_t* killed) {
  const Counted counted(killed);
  coop::ManualEvent never;
  co_await never;
}

/// A cancelled task has another turn, in which the exception unwinds it.
coop::Coroutine<> kill_all(benchmark::State* state, std::int64_t* killed) {
  const auto n = static_cast<std::size_t>(state->range(0));
  const std::vector<std::size_t> order = any_order(n);
  while (state->KeepRunningBatch(state->range(0))) {
    state->PauseTiming();
    std::vector<coop::Handle<void>> tasks;
    for (std::size_t i = 0; i < n; ++i) tasks.push_back(coop::spawn(wait_forever(killed)));
    co_await coop::yield();
    state->ResumeTiming();
    for (const std::size_t i : order) tasks[i]->cancel();
    tasks.clear();
    co_await coop::yield();
  }
}

void kill_tasks(benchmark::State& state) {
  std::int64_t killed = 0;
  run(kill_all(&state, &killed));
  expect(state, killed);
}

void spawn(benchmark::State& state) {
  coop::TimerReactor reactor;
  coop::Scheduler scheduler(reactor);
  std::int64_t ended = 0;
  while (state.KeepRunningBatch(spawned_at_once)) {
    for (int i = 0; i < spawned_at_once; ++i) scheduler.spawn(empty(&ended));
    scheduler.run();
  }
  expect(state, ended);
}

}  // namespace

BENCHMARK(system_call);
BENCHMARK(yield_at_depth)->Apply(depths);
BENCHMARK(call);
BENCHMARK(kill_tasks)->Name("kill")->Apply(numbers_of_tasks);
BENCHMARK(spawn);
