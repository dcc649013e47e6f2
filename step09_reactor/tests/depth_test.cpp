#include <algorithm>
#include <cstdint>
#include <optional>

#include "world.hpp"

// However deep coroutines call each other, and however often, the machine's stack does not grow.

using namespace coop;

namespace {

/// The lowest address of the machine's stack that was seen.
std::uintptr_t lowest = UINTPTR_MAX;

void look() {
  lowest = std::min(lowest, reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0)));
}

/// Looks when it is destroyed.
struct Looking {
  Looking() = default;
  Looking(const Looking&) = delete;
  ~Looking() { look(); }
};

enum class End { returns, throws };

Coroutine<int> deep(int depth, int turns, End end) {
  const Looking looking;
  look();
  if (depth == 1) {
    for (int i = 0; i < turns; ++i) {
      co_await suspend();
    }
    if (end == End::throws) throw std::runtime_error("from below");
    co_return 1;
  }
  const int below = co_await deep(depth - 1, turns, end);
  look();
  co_return below + 1;
}

Coroutine<> call_deep(int depth, int turns, int* result) {
  *result = co_await deep(depth, turns, End::returns);
}

Coroutine<> throw_deep(int depth, int turns) {
  co_await deep(depth, turns, End::throws);
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

Coroutine<> join_often(int times, std::int64_t* sum) {
  for (int i = 0; i < times; ++i) {
    const Handle<int> task = spawn(at_once(i));
    const int value = co_await task;
    *sum += value;
  }
}

/// Each waits for the one before.
Coroutine<> join_chain(int length) {
  Handle<void> last = spawn(until(&current_task()));
  last->cancel();
  std::vector<Handle<void>> all{last};
  for (int i = 1; i < length; ++i) {
    all.push_back(spawn(until(&*all.back())));
  }
  co_await wait(*all.back());
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

TEST_CASE_METHOD(World, "a million calls deep, and back", "[step09]") {
  int result = 0;
  REQUIRE(stack_used([&] { scheduler.run(call_deep(million, 2, &result)); }) < little);
  REQUIRE(result == million);
  empty_pool();
}

TEST_CASE_METHOD(World, "an exception goes up a hundred thousand calls", "[step09]") {
  scheduler.spawn(report(&log, "deep", throw_deep(million / 10, 2)));
  REQUIRE(run(scheduler) == "nothing");
  REQUIRE(log == Log{"deep: from below"});
  empty_pool();
}

TEST_CASE_METHOD(World, "a hundred thousand calls deep, and cancelled there", "[step09]") {
  int result = 0;
  const Handle<void> task = scheduler.spawn(call_deep(million / 10, 2, &result));
  scheduler.spawn([](Handle<void> victim) -> Coroutine<> {
    victim->cancel();
    co_return;
  }(task));
  REQUIRE(run(scheduler) == "nothing");
  REQUIRE(task->is_finished());
  REQUIRE(result == 0);
  empty_pool();
}

TEST_CASE("a million calls deep, and destroyed there", "[step09]") {
  const NothingLeft nothing_left;
  int result = 0;
  FakeReactor reactor;
  std::optional<Scheduler> scheduler(reactor);
  scheduler->spawn(call_deep(million, 1, &result));
  scheduler->spawn(fail("stop"));
  scheduler->on_unhandled([](const std::exception_ptr&) {});
  scheduler->shuffle([&scheduler](std::size_t n) -> std::size_t {
    if (scheduler->turns() == 1) throw std::logic_error("stop");
    return n - n;
  });
  REQUIRE_THROWS_AS(scheduler->run(), std::logic_error);
  REQUIRE(stack_used([&] { scheduler.reset(); }) < little);
  REQUIRE(result == 0);
  empty_pool();
}

TEST_CASE_METHOD(World, "ten million calls in a loop, each over at once", "[step09]") {
  constexpr std::int64_t times = 10 * million;
  std::int64_t sum = 0;
  REQUIRE(stack_used([&] { scheduler.run(call_often(times, &sum)); }) < little);
  REQUIRE(sum == times * (times - 1) / 2);
}

TEST_CASE_METHOD(World, "a million tasks in a loop, each over at once", "[step09]") {
  constexpr std::int64_t times = million;
  std::int64_t sum = 0;
  REQUIRE(stack_used([&] { scheduler.run(join_often(times, &sum)); }) < little);
  REQUIRE(sum == times * (times - 1) / 2);
}

TEST_CASE_METHOD(World, "a hundred thousand tasks, each of which waits for the one before",
                 "[step09]") {
  scheduler.run(join_chain(million / 10));
  REQUIRE(scheduler.turns() < million);
  empty_pool();
}
