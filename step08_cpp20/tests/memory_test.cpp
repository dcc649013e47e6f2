#include <any_catch2.hpp>
#include <cstdlib>
#include <new>
#include <utility>

#include "process.hpp"

namespace {

bool next_allocation_fails = false;

/// Makes `count` system calls; what they throw is counted.
Coroutine<> call_often(int count, int* made, int* caught) {
  for (int i = 0; i < count; ++i) {
    try {
      co_await get_task_id();
      ++*made;
    } catch (const std::bad_alloc&) {
      ++*caught;
    }
  }
}

}  // namespace

[[gnu::noinline]] void* operator new(std::size_t size) {
  if (std::exchange(next_allocation_fails, false)) throw std::bad_alloc();
  if (void* const memory = std::malloc(size)) return memory;
  throw std::bad_alloc();
}
[[gnu::noinline]] void operator delete(void* memory) noexcept {
  std::free(memory);
}
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}

TEST_CASE("a task for which there is no room in the queue is told, and not lost", "[step08]") {
  int made = 0, caught = 0;
  Scheduler scheduler;
  scheduler.new_task(call_often(200, &made, &caught));
  next_allocation_fails = true;
  scheduler.run();
  REQUIRE(made == 199);
  REQUIRE(caught == 1);
  REQUIRE(scheduler.living_tasks().empty());
}
