// How long n tasks of step 9 take to begin, to wait, and to end: `growth WAIT END`.

#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <utility>
#include <vector>

#include "coop/channel.hpp"
#include "coop/mutex.hpp"
#include "coop/scope.hpp"
#include "coop/timer_reactor.hpp"

using namespace coop;

namespace {

std::string_view wait, end;  // as on the command line

struct Things {
  ManualEvent event;
  Channel<int> channel{1};
  Mutex mutex;
};

Coroutine<> until(Event* event) {
  co_await *event;
}

Coroutine<> task(Things* things) {
  if (wait == "event") co_await things->event;
  if (wait == "timer") co_await sleep(std::chrono::hours(24));
  if (wait == "forever") co_await sleep(Clock::duration::max());  // all at the same moment
  if (wait == "channel") co_await things->channel.receive();
  if (wait == "mutex") co_await with_lock(&things->mutex, until(&things->event));
}

/// Each task waits for the one that it has spawned into a scope of its own. The last one ends all.
Coroutine<> nested(std::int64_t n) {
  Scope scope;
  if (n > 1) scope.spawn(nested(n - 1));
  if (n == 1) Scheduler::current().shutdown();
  co_await scope.join();
}

Coroutine<> all(std::int64_t n) {
  Things things;
  Scope scope;
  std::vector<Handle<void>> tasks;
  for (std::int64_t i = 0; i < n; ++i) tasks.push_back(scope.spawn(task(&things)));
  co_await yield();  // until each of them waits
  if (end == "set") things.event.set();
  if (end == "destroy") co_return;  // which the scope does
  if (end == "shutdown") Scheduler::current().shutdown();
  if (end == "scope") scope.cancel();
  if (end == "each") {
    for (const Handle<void>& each : tasks) each->cancel();
  }
  if (end == "backwards") {
    for (auto each = tasks.rbegin(); each != tasks.rend(); ++each) (*each)->cancel();
  }
  co_await scope.join();
}

void growth(benchmark::State& state) {
  const std::int64_t n = state.range(0);
  while (state.KeepRunningBatch(n)) {
    empty_pool();
    TimerReactor reactor;
    Scheduler scheduler(reactor);
    try {
      scheduler.run(wait == "nested" ? nested(n) : all(n));
    } catch (const Cancelled&) {  // by the shutdown
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  const char* const round = std::getenv("BENCH_ROUND");
  if (round && round != std::string_view("1")) {  // it would be the same again, after minutes
    std::puts(R"({"benchmarks":[]})");
    return 0;
  }
  wait = argv[1];
  end = argv[2];
  for (const std::int64_t n : {1000, 10'000, 100'000, 1'000'000}) {
    auto* const family = benchmark::RegisterBenchmark("growth", growth);
    family->Arg(n)->Iterations(std::max<std::int64_t>(n, 10'000))->Repetitions(1);
  }
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
