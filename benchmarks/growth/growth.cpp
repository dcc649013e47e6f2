// How long n tasks of step 9 take to begin, to wait, and to end: `growth WAIT END`.

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdint>
#include <string_view>

#include "ways.hpp"

namespace {

std::string_view wait, end;  // as on the command line

void growth(benchmark::State& state) {
  const std::int64_t n = state.range(0);
  while (state.KeepRunningBatch(n)) run_tasks(wait, end, n);
}

}  // namespace

int main(int argc, char** argv) {
  wait = argv[1];
  end = argv[2];
  for (const std::int64_t n : {1000, 10'000, 100'000, 1'000'000}) {
    auto* const family = benchmark::RegisterBenchmark("growth", growth);
    family->Arg(n)->Iterations(std::max<std::int64_t>(n, 10'000))->Repetitions(1);
  }
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
