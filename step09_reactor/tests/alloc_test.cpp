#include <cstddef>
#include <cstdlib>
#include <new>

#include "allocations.hpp"
#include "scenario.hpp"

using namespace coop;

// The program that does a bit of everything runs with an allocation that fails: with the first one,
// with the second one, and so on. It may fail then, but nothing may be left.

namespace {

struct State {
  std::size_t count = 0;
  std::size_t given_back = 0;
  std::size_t left = 0;  // until one fails; 0: none does
  bool all = false;
  bool failed = false;
};

thread_local State state;

void* allocate(std::size_t size) noexcept {
  ++state.count;
  if (state.left > 0 && --state.left == 0) {
    state.failed = true;
    if (state.all) state.left = 1;
    return nullptr;
  }
  return std::malloc(size > 0 ? size : 1);
}

void* allocate_or_throw(std::size_t size) {
  void* const memory = allocate(size);
  if (!memory) throw std::bad_alloc();
  return memory;
}

void give_back(void* memory) noexcept {
  ++state.given_back;
  std::free(memory);
}

/// Is it std::bad_alloc, or is one nested in it?
bool is_bad_alloc(const std::exception_ptr& error) {
  if (!error) return false;
  try {
    std::rethrow_exception(error);
  } catch (const std::bad_alloc&) {
    return true;
  } catch (const std::nested_exception& nested) {
    return is_bad_alloc(nested.nested_ptr());
  } catch (...) {
    return false;
  }
}

/// Runs the scenario with the `n`-th allocation failing, and those after it, too, if `all`. Returns
/// false if no allocation has failed.
bool run_failing_at(std::size_t n, bool all) {
  const NothingLeft nothing_left;
  empty_pool();
  FakeReactor reactor;
  Scenario in;
  Scheduler scheduler(reactor);
  scheduler.on_deadlock([](const std::string&) {});
  allocations::fail_at(n, all);
  std::exception_ptr error;
  try {
    scheduler.run(scenario::main(&in));
  } catch (...) {
    error = std::current_exception();
  }
  const bool failed = allocations::failed();
  allocations::fail_at(0);
  INFO(n << ": " << text_of(error));
  REQUIRE((failed ? scenario::is_complete(in) || is_bad_alloc(error) : !error));
  return failed;
}

/// Spawns one after the other, so that few are ready at the same time.
Coroutine<> gather(int count, Event* event) {
  for (int i = 0; i < count; ++i) {
    spawn(until(event));
    co_await yield();
  }
}

Coroutine<> set_without_memory(ManualEvent* event, bool* failed) {
  for (int i = 0; i < 150; ++i) {
    co_await yield();
  }
  allocations::fail_at(1, true);
  event->set();
  *failed = allocations::failed();
  allocations::fail_at(0);
}

Coroutine<> clean_up_without_memory(Log* out, Event* event) {
  co_await with_finally(until(event), say(out, "cleaned up", 1));
}

}  // namespace

TEST_CASE("failing allocations leave nothing behind", "[step09]") {
  const bool all = GENERATE(false, true);
  std::size_t n = 1;
  while (run_failing_at(n, all)) ++n;
  REQUIRE(n > 50);
}

TEST_CASE_METHOD(World, "the clean-up of with_finally needs no memory to start", "[step09]") {
  ManualEvent never;
  log.reserve(10);
  const Handle<void> task = scheduler.spawn(clean_up_without_memory(&log, &never));
  scheduler.spawn(give(0, 9));
  REQUIRE(run_turns(scheduler, 1));
  scheduler.spawn(cancel(&*task));
  empty_pool();
  allocations::fail_at(1, true);
  const std::exception_ptr error = error_of_run(scheduler);
  allocations::fail_at(0);
  REQUIRE(text_of(error) == "nothing");
  REQUIRE(log == Log{"cleaned up"});
}

TEST_CASE_METHOD(World, "a shutdown needs no memory", "[step09]") {
  ManualEvent never;
  std::vector<Handle<void>> handles{scheduler.spawn(fail("oh"))};
  scheduler.spawn(protect(until(&never)));
  scheduler.spawn(give(0, 9));
  REQUIRE(run_turns(scheduler, 3));
  allocations::fail_at(1, true);
  handles.clear();
  std::exception_ptr error = error_of_run(scheduler);
  const bool failed = allocations::failed();
  allocations::fail_at(0);
  REQUIRE_FALSE(failed);
  REQUIRE(text_of(error) == "oh");
}

TEST_CASE_METHOD(World, "waking a hundred tasks at once needs no memory", "[step09]") {
  ManualEvent event;
  bool failed = true;
  scheduler.spawn(gather(100, &event));
  scheduler.spawn(set_without_memory(&event, &failed));
  scheduler.run();
  REQUIRE_FALSE(failed);
}

std::size_t allocations::count() {
  return state.count;
}

std::size_t allocations::given_back() {
  return state.given_back;
}

void allocations::fail_at(std::size_t n, bool all) {
  state.left = n;
  state.all = all;
  state.failed = false;
}

bool allocations::failed() {
  return state.failed;
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
