#include <algorithm>
#include <cstdint>

#include "any_catch2.hpp"
#include "generator.hpp"
#include "process.hpp"

// However deep coroutines call each other, and however often, the machine's stack does not grow.

namespace {

/// The lowest address of the machine's stack that was seen.
std::uintptr_t lowest = UINTPTR_MAX;

void look() {
  lowest = std::min(lowest, reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0)));
}

Coroutine<int> deep(int depth, int turns) {
  look();
  if (depth == 1) {
    for (int i = 0; i < turns; ++i) {
      co_yield nothing;
    }
    co_return 1;
  }
  const int below = co_await deep(depth - 1, turns);
  look();
  co_return below + 1;
}

Coroutine<> call_deep(int depth, int turns, int* result) {
  *result = co_await deep(depth, turns);
}

Coroutine<int> at_once(int i) {
  look();
  co_return i;
}

Coroutine<> call_often(int times, std::int64_t* sum) {
  for (int i = 0; i < times; ++i) {
    const int value = co_await at_once(i);
    *sum += value;
  }
}

Coroutine<> kill(TaskId id) {
  co_await kill_task(id);
}

Generator<int> nested(int depth, int count) {
  look();
  if (depth > 1) {
    co_yield nested(depth - 1, count);
  } else {
    for (int i = 0; i < count; ++i) {
      co_yield i;
    }
  }
}

/// How far down the machine's stack `action` goes.
template <typename Action>
std::uintptr_t stack_used(Action action) {
  lowest = UINTPTR_MAX;
  action();
  return reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0)) - lowest;
}

constexpr int million = 1000000;
constexpr std::uintptr_t little = 4096;

}  // namespace

TEST_CASE("a million calls deep, and back", "[step08]") {
  int result = 0;
  REQUIRE(stack_used([&] {
            Scheduler scheduler;
            scheduler.new_task(call_deep(million, 2, &result));
            scheduler.run();
          }) < little);
  REQUIRE(result == million);
}

TEST_CASE("a million calls deep, and killed there", "[step08]") {
  int result = 0;
  Scheduler scheduler;
  scheduler.new_task(call_deep(million, 2, &result));
  scheduler.new_task(kill(1));
  scheduler.run();
  REQUIRE(result == 0);
  REQUIRE(scheduler.living_tasks().empty());
}

TEST_CASE("ten million calls in a loop, each over at once", "[step08]") {
  constexpr std::int64_t times = 10 * million;
  std::int64_t sum = 0;
  REQUIRE(stack_used([&] {
            Scheduler scheduler;
            scheduler.new_task(call_often(times, &sum));
            scheduler.run();
          }) < little);
  REQUIRE(sum == times * (times - 1) / 2);
}

TEST_CASE("generators in generators, a million deep, read or dropped", "[step08]") {
  int count = 0;
  REQUIRE(stack_used([&] {
            for (const int value : nested(million, 3)) count += value;
          }) < little);
  REQUIRE(count == 0 + 1 + 2);
  Generator<int> dropped = nested(million, 3);
  REQUIRE(dropped.current() == 0);
}
