#pragma once

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <numeric>
#include <random>
#include <vector>

/// Makes the benchmark fail if an iteration has not done its work.
inline void expect(benchmark::State& state, std::int64_t done) {
  if (done != state.iterations()) state.SkipWithError("not all of the work was done");
}

/// The number of tasks that are spawned before they run.
constexpr int spawned_at_once = 100;

/// Returns 0 to n - 1 in a random order, which is the same in all programs.
inline std::vector<std::size_t> any_order(std::size_t n) {
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), 0);
  std::shuffle(order.begin(), order.end(), std::mt19937());
  return order;
}

/// Measures the time to kill N waiting tasks. `Tasks(n)` starts them, and its kill() kills them in
/// the given order and returns the number of killed tasks. The clock is stopped while they are
/// started. Stopping it takes time, so small numbers of tasks are killed in several schedulers at
/// once.
template <typename Tasks>
void measure_kill(benchmark::State& state) {
  const auto n = static_cast<std::size_t>(state.range(0));
  const std::size_t schedulers = std::max<std::size_t>(1, 10000 / n);
  const std::vector<std::size_t> order = any_order(n);
  std::int64_t killed = 0;
  while (state.KeepRunningBatch(static_cast<std::int64_t>(n * schedulers))) {
    state.PauseTiming();
    std::vector<std::unique_ptr<Tasks>> all(schedulers);
    for (auto& tasks : all) tasks = std::make_unique<Tasks>(n);
    state.ResumeTiming();
    for (auto& tasks : all) killed += tasks->kill(order);
    state.PauseTiming();
    all.clear();
    state.ResumeTiming();
  }
  expect(state, killed);
}

/// The arguments of the families.
inline void depths(benchmark::internal::Benchmark* family) {
  for (const int depth : {1, 10000}) family->Arg(depth);
}
inline void numbers_of_tasks(benchmark::internal::Benchmark* family) {
  for (const int n : {1000, 100000}) family->Arg(n);
}
