// Measures one contestant, in nanoseconds per value. It is compiled separately, so that the
// compiler doesn't know the number of values.

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

#ifdef __clang__
BENCHMARK(sum)->Name("sum/clang");
#else
BENCHMARK(sum);
#endif
BENCHMARK_MAIN();
