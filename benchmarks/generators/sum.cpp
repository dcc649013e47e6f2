// Measures one contestant, in nanoseconds for each value. It is compiled apart from the contestant,
// which therefore does not know how many values will be asked for.

#include "sum.hpp"

#include <benchmark/benchmark.h>

namespace {

constexpr long long last = 1000000;

void sum(benchmark::State& state) {
  while (state.KeepRunningBatch(last)) {
    if (sum_to(last) != last * (last + 1) / 2) return state.SkipWithError("the sum is wrong");
  }
}

}  // namespace

BENCHMARK(sum);
BENCHMARK_MAIN();
