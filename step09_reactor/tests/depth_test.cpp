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

struct LooksAtEnd {
  LooksAtEnd() = default;
  LooksAtEnd(const LooksAtEnd&) = delete;
  ~LooksAtEnd() { look(); }
};

Coroutine<int> deep(int depth, int turns) {
  const LooksAtEnd at_end;
  look();
  if (depth == 1) {
    for (int i = 0; i < turns; ++i) {
      co_await yield();
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

Coroutine<> yield_often(int times) {
  for (int i = 0; i < times; ++i) {
    look();
    co_await yield();
  }
}

/// Each waits for the one before.
Coroutine<> join_chain(int length) {
  Handle<void> last = spawn(until(&this_task()));
  last->cancel();
  std::vector<Handle<void>> all{last};
  for (int i = 1; i < length; ++i) {
    all.push_back(spawn(until(&*all.back())));
  }
  co_await *all.back();
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

TEST_CASE_METHOD(World, "a million nested calls need no more stack", "[step09]") {
  int result = 0;
  REQUIRE(stack_used([&] { scheduler.run(call_deep(million, 2, &result)); }) < little);
  REQUIRE(result == million);
  detail::empty_pool();
}

TEST_CASE("a million nested calls can be destroyed", "[step09]") {
  const NothingLeft nothing_left;
  int result = 0;
  FakeReactor reactor;
  std::optional<Scheduler> scheduler(reactor);
  scheduler->spawn(call_deep(million, 1, &result));
  scheduler->spawn(say(nullptr, "never"));
  REQUIRE(run_turns(*scheduler, 1));
  REQUIRE(stack_used([&] { scheduler.reset(); }) < little);
  REQUIRE(result == 0);
  detail::empty_pool();
}

TEST_CASE_METHOD(World, "ten million calls that return at once need no more stack", "[step09]") {
  constexpr std::int64_t times = 10 * million;
  std::int64_t sum = 0;
  REQUIRE(stack_used([&] { scheduler.run(call_often(times, &sum)); }) < little);
  REQUIRE(sum == times * (times - 1) / 2);
  REQUIRE(scheduler.turns() == 1);
}

TEST_CASE_METHOD(World, "a million switches between tasks need no more stack", "[step09]") {
  for (int i = 0; i < 2; ++i) scheduler.spawn(yield_often(million / 2));
  REQUIRE(stack_used([&] { scheduler.run(); }) < little);
  REQUIRE(scheduler.turns() == million + 2);
}

TEST_CASE_METHOD(World, "a hundred thousand tasks can wait for each other in a chain", "[step09]") {
  scheduler.run(join_chain(million / 10));
  REQUIRE(scheduler.turns() < million);
  detail::empty_pool();
}
