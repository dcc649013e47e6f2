#include <cstddef>
#include <cstdlib>
#include <new>

#include "allocations.hpp"
#include "world.hpp"

using namespace coop;

namespace {

thread_local std::size_t asked_for = 0;
thread_local std::size_t returned = 0;

void* allocate(std::size_t size) noexcept {
  ++asked_for;
  return std::malloc(size > 0 ? size : 1);
}

void* allocate_or_throw(std::size_t size) {
  void* const memory = allocate(size);
  if (!memory) throw std::bad_alloc();
  return memory;
}

void give_back(void* memory) noexcept {
  ++returned;
  std::free(memory);
}

/// Spawns one after the other, so that few are ready at the same time.
Coroutine<> gather(int count, Event* event) {
  for (int i = 0; i < count; ++i) {
    spawn(until(event));
    co_await yield();
  }
}

Coroutine<> count_allocations(std::size_t* count) {
  *count = allocations::count();
  co_return;
}

Coroutine<> count_in_turns(int turns, std::size_t* count) {
  *count = allocations::count();
  for (int i = 0; i < turns; ++i) {
    co_await yield();
  }
  *count = allocations::count() - *count;
}

}  // namespace

TEST_CASE_METHOD(World, "a turn needs no memory", "[step09]") {
  for (int i = 0; i < 9; ++i) scheduler.spawn(give(i, 1000));
  std::size_t count = 1;
  scheduler.run(count_in_turns(1000, &count));
  REQUIRE(count == 0);
}

TEST_CASE_METHOD(World, "a shutdown needs no memory", "[step09]") {
  ManualEvent never;
  std::vector<Handle<void>> handles{scheduler.spawn(fail("oh"))};
  scheduler.spawn(protect(until(&never)));
  scheduler.spawn(give(0, 9));
  REQUIRE(run_turns(scheduler, 3));
  const std::size_t before = allocations::count();
  handles.clear();
  const std::exception_ptr error = error_of_run(scheduler);
  const std::size_t after = allocations::count();
  REQUIRE(after == before);
  REQUIRE(text_of(error) == "oh");
}

TEST_CASE_METHOD(World, "the clean-up of with_finally needs no memory to start", "[step09]") {
  ManualEvent never;
  std::size_t at_start = 0;
  const Handle<void> task =
      scheduler.spawn(with_finally(until(&never), count_allocations(&at_start)));
  scheduler.spawn(give(0, 9));
  REQUIRE(run_turns(scheduler, 2));
  task->cancel();
  const std::size_t before = allocations::count();
  scheduler.run();
  REQUIRE(at_start == before);
}

TEST_CASE_METHOD(World, "waking a hundred tasks at once needs no memory", "[step09]") {
  ManualEvent event;
  scheduler.spawn(gather(100, &event));
  scheduler.spawn(give(0, 150));
  REQUIRE(run_turns(scheduler, 300));
  const std::size_t before = allocations::count();
  event.set();
  const std::size_t after = allocations::count();
  REQUIRE(after == before);
  scheduler.run();
}

std::size_t allocations::count() {
  return asked_for;
}

std::size_t allocations::given_back() {
  return returned;
}

// clang-format off
void* operator new(std::size_t size) { return allocate_or_throw(size); }
void* operator new[](std::size_t size) { return allocate_or_throw(size); }
void* operator new(std::size_t size, const std::nothrow_t&) noexcept { return allocate(size); }
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept { return allocate(size); }
void operator delete(void* memory) noexcept { give_back(memory); }
void operator delete[](void* memory) noexcept { give_back(memory); }
void operator delete(void* memory, std::size_t) noexcept { give_back(memory); }
void operator delete[](void* memory, std::size_t) noexcept { give_back(memory); }
void operator delete(void* memory, const std::nothrow_t&) noexcept { give_back(memory); }
void operator delete[](void* memory, const std::nothrow_t&) noexcept { give_back(memory); }
// clang-format on
