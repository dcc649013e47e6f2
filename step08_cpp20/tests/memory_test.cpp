#include "memory.hpp"

#include <cstdlib>
#include <new>

#include "any_catch2.hpp"
#include "process.hpp"

long memory::living = 0;
long memory::granted = -1;

namespace {

[[gnu::noinline]] void* allocate(std::size_t size) {
  const bool fails = memory::granted >= 0 && memory::granted-- == 0;
  void* const memory = fails ? nullptr : std::malloc(size);
  if (memory) ++memory::living;
  return memory;
}

void give_back(void* memory) {
  if (memory) --memory::living;
  std::free(memory);
}

void* allocate_or_throw(std::size_t size) {
  if (void* const memory = allocate(size)) return memory;
  throw std::bad_alloc();
}

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

TEST_CASE("a task for which there is no room in the queue is told, and not lost", "[step08]") {
  int made = 0, caught = 0;
  Scheduler scheduler;
  scheduler.new_task(call_often(200, &made, &caught));
  memory::granted = 0;
  scheduler.run();
  REQUIRE(made == 199);
  REQUIRE(caught == 1);
  REQUIRE(scheduler.living_tasks().empty());
}

TEST_CASE("a task that has ended or was killed leaves nothing behind", "[step08]") {
  int made = 0, caught = 0;
  Scheduler scheduler;
  const auto round = [&] {
    scheduler.new_task(call_often(1, &made, &caught));
    scheduler.kill_task(scheduler.new_task(call_often(1, &made, &caught)));
    scheduler.run();
    return memory::living;
  };
  const long after_one = round();
  for (int i = 0; i < 100; ++i) REQUIRE(round() == after_one);
}
