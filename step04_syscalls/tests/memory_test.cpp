#include "memory.hpp"

#include <any_catch2.hpp>
#include <cstdlib>
#include <new>

#include "scheduler.hpp"
#include "script.hpp"

long memory::living = 0;
long memory::granted = -1;

void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  const bool fails = memory::granted >= 0 && memory::granted-- == 0;
  void* const memory = fails ? nullptr : std::malloc(size);
  if (memory) ++memory::living;
  return memory;
}
void* operator new(std::size_t size) {
  if (void* const memory = operator new(size, std::nothrow)) return memory;
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept {
  if (memory) --memory::living;
  std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
  operator delete(memory);
}

TEST_CASE("a task that has ended or was killed leaves nothing behind", "[step04]") {
  Scheduler scheduler;
  const auto round = [&] {
    scheduler.new_task(script({}));
    scheduler.kill_task(scheduler.new_task(script({})));
    scheduler.run();
    return memory::living;
  };
  const long after_one = round();
  for (int i = 0; i < 100; ++i) REQUIRE(round() == after_one);
}
