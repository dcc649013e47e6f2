#pragma once

#include <benchmark/benchmark.h>
#include <malloc.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>

#include "resident.hpp"

/// One measurement: each task yields while another_turn() returns true. The first turn of each task
/// is not measured, nor are its creation and destruction.
class Run {
 public:
  explicit Run(benchmark::State& state)
      : state_(state), left_(state.range(0)), round_(std::max<std::int64_t>(left_, 1000)) {
    malloc_trim(0);  // frees the memory of the run before
    bytes_before_ = resident_bytes();
  }
  Run(const Run&) = delete;
  ~Run() {
    if (!over_) state_.SkipWithError("the tasks did not have their turns");
  }

  std::int64_t tasks() const { return state_.range(0); }

  /// Counts a turn of any task.
  bool another_turn() { return --left_ >= 0 || next_round(); }

 private:
  [[gnu::noinline]] bool next_round() {
    if (over_) return false;
    if (tasks() >= 100'000 && state_.counters.empty()) {  // all tasks have had a turn
      const double bytes = resident_bytes() - bytes_before_;
      state_.counters["bytes_a_task"] = bytes / static_cast<double>(tasks());
    }
    over_ = !state_.KeepRunningBatch(round_);
    left_ = over_ ? 0 : round_ - 1;
    return !over_;
  }

  benchmark::State& state_;
  std::int64_t left_;
  std::int64_t round_;  // the number of turns between two reads of the clock
  bool over_ = false;
  double bytes_before_ = 0;
};

/// Runs `yield` with several numbers of tasks, under the name that all contestants share. For
/// count.sh, it runs 1000 tasks only, with the number of switches in COUNT.
template <typename Function>
int measure(int argc, char** argv, Function yield) {
  auto* const family = benchmark::RegisterBenchmark("yield", yield);
  if (const char* const switches = std::getenv("COUNT")) {
    family->Arg(1000)->Iterations(std::atoi(switches))->Repetitions(1);
  } else {
    for (const std::int64_t tasks : {2, 1000, 100'000}) family->Arg(tasks);
  }
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
