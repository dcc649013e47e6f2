#include <iostream>
#include <vector>

#include "coop/timer_reactor.hpp"
#include "coop/wait.hpp"

using namespace coop;

Coroutine<> short_one() {
  co_return;
}

/// Prints where the memory came from since the last time.
void print(const char* what) {
  static PoolStatistics before;
  const PoolStatistics now = pool_statistics();
  const bool asked = now.misses > before.misses;
  std::cout << what << (asked ? "the heap was asked.\n" : "the pool had it all.\n");
  before = now;
}

/// Spawns coroutines one after the other, then many at once, and again. Each takes two pieces of
/// memory: its frame, and the task's record.
Coroutine<> program() {
  print("The first one, this one:    ");
  {
    const Handle<void> another = spawn(short_one());
    co_await another;
  }
  print("Another one:                ");
  for (int i = 0; i < 1000; ++i) {
    const Handle<void> next = spawn(short_one());
    co_await next;
  }
  print("A thousand, one by one:     ");
  for (int round = 0; round < 2; ++round) {
    std::vector<Handle<void>> many;
    many.reserve(1000);
    for (int i = 0; i < 1000; ++i) {
      many.push_back(spawn(short_one()));
    }
    for (const Handle<void>& one : many) {
      co_await one;
    }
    many.clear();
    print(round == 0 ? "A thousand at once:         " : "A thousand at once, again:  ");
  }
}

int main() {
  TimerReactor reactor;
  Scheduler scheduler(reactor);
  scheduler.run(program());
}
