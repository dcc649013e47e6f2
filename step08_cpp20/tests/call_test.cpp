#include <algorithm>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "any_catch2.hpp"
#include "script.hpp"
#include "small_unix.hpp"

namespace {

Coroutine<std::string> returns_text(Log* log, int turns, std::string text) {
  log->push_back("callee");
  for (int i = 0; i < turns; ++i) {
    co_yield nothing;
  }
  co_return text;
}

Coroutine<> calls(Log* log, Coroutine<std::string> callee) {
  log->push_back("caller");
  const std::string text = co_await std::move(callee);
  log->push_back("got " + text);
}

Coroutine<> calls_twice(Log* log, Coroutine<> first, Coroutine<> second) {
  co_await std::move(first);
  log->push_back("between");
  co_await std::move(second);
  log->push_back("end");
}

/// Calls itself until `depth` is 0, and yields there. Its locals write to the log when they are
/// destroyed.
Coroutine<int> noisy(Log* log, int depth) {
  const auto local = at_destruction(log, "local " + std::to_string(depth));
  int calls = 0;
  if (depth > 0) {
    calls = co_await noisy(log, depth - 1);
  } else {
    co_yield nothing;
    co_yield nothing;
  }
  co_return calls + 1;
}

Coroutine<> count_calls(Log* log, int depth) {
  const int calls = co_await noisy(log, depth);
  log->push_back(std::to_string(calls) + " calls");
}

Generator<int> numbers() {
  co_yield 1;
  co_yield 2;
}

Coroutine<Generator<int>> returns_generator() {
  co_return numbers();
}

Coroutine<> get_generators(Log* log, SystemCall<Generator<int>> call) {
  Generator<int> returned = co_await returns_generator();
  Generator<int> answer = co_await call;
  returned.next();
  log->push_back(std::to_string(*returned.current()) + std::to_string(*answer.current()));
}

Coroutine<> exec_in_callee(Log* log, Coroutine<> other) {
  const auto local = at_destruction(log, "callee is destroyed");
  co_await exec_task(std::move(other));
  log->push_back("never");
}

Coroutine<> calls_exec(Log* log, Coroutine<> callee) {
  const auto local = at_destruction(log, "caller is destroyed");
  co_await std::move(callee);
  log->push_back("never");
}

Coroutine<> calls_again(Log* log, Coroutine<> callee) {
  for (int i = 0; i < 2; ++i) {
    try {
      co_await std::move(callee);
      log->push_back("has called");
    } catch (const std::logic_error& error) {
      log->push_back(error.what());
    }
  }
}

Coroutine<std::unique_ptr<int>> returns_box() {
  co_return std::make_unique<int>(7);
}

Coroutine<> receives_box(int* result) {
  const std::unique_ptr<int> box = co_await returns_box();
  *result = *box;
}

/// The lowest address of the call stack that a coroutine has seen.
std::uintptr_t lowest = UINTPTR_MAX;

void look() {
  lowest = std::min(lowest, reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0)));
}

/// Returns the size of the call stack while a task runs.
template <typename Function>
std::uintptr_t stack_used(Function run_task) {
  lowest = UINTPTR_MAX;
  run_task();
  return reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0)) - lowest;
}

/// Calls itself until `depth` is 0, and yields there. Counts the frames that exist.
class Counted {
 public:
  Counted() { ++count; }
  Counted(const Counted&) = delete;
  ~Counted() {
    look();
    --count;
  }
  static inline int count = 0;
};

Coroutine<int> nested(int depth) {
  const Counted counted;
  look();
  int calls = 0;
  if (depth > 0) {
    calls = co_await nested(depth - 1);
  } else {
    co_yield nothing;
    co_yield nothing;
  }
  look();
  co_return calls + 1;
}

Coroutine<> call_nested(int depth, int* result) {
  *result = co_await nested(depth);
}

Coroutine<int> returns_at_once(int number) {
  look();
  co_return number;
}

Coroutine<> call_often(int times, std::int64_t* sum) {
  for (int i = 0; i < times; ++i) {
    const int number = co_await returns_at_once(i);
    *sum += number;
  }
}

constexpr int million = 1000000;
constexpr std::uintptr_t most_stack = 16 * 1024;

}  // namespace

TEST_CASE("a coroutine and a system call can return a generator, which cannot be assigned",
          "[step08]") {
  Log log;
  run(get_generators(&log, [](TaskId asker, Scheduler& scheduler) {
    scheduler.schedule(asker);
    return numbers();
  }));
  REQUIRE(log == Log{"21"});
}

TEST_CASE("creating a coroutine runs nothing", "[step08]") {
  Log log;
  {
    const Coroutine<std::string> coroutine = returns_text(&log, 0, "x");
  }
  REQUIRE(log.empty());
}

TEST_CASE("a coroutine can be moved but not copied", "[step08]") {
  STATIC_REQUIRE_FALSE(std::is_copy_constructible_v<Coroutine<>>);
  STATIC_REQUIRE(std::is_move_constructible_v<Coroutine<>>);
}

TEST_CASE("a call runs the callee and returns its return value", "[step08]") {
  Log log;
  run(calls(&log, returns_text(&log, 2, "x")));
  REQUIRE(log == Log{"caller", "callee", "got x"});
}

TEST_CASE("a call returns a value that can only be moved", "[step08]") {
  int result = 0;
  run(receives_box(&result));
  REQUIRE(result == 7);
}

TEST_CASE("calls and returns take no turn", "[step08]") {
  Log log;
  Scheduler scheduler;
  scheduler.new_task(calls(&log, returns_text(&log, 0, "x")));
  scheduler.new_task(say(&log, {"b"}));
  scheduler.run();
  REQUIRE(log == Log{"caller", "callee", "got x", "b"});
}

TEST_CASE("two tasks take turns in their callees", "[step08]") {
  Log log;
  Scheduler scheduler;
  scheduler.new_task(calls_twice(&log, say(&log, {"a1", "a2"}), say(&log, {"a3"})));
  scheduler.new_task(calls_twice(&log, say(&log, {"b1", "b2"}), say(&log, {"b3"})));
  scheduler.run();
  REQUIRE(log == Log{"a1", "b1", "a2", "b2", "between", "a3", "between", "b3", "end", "end"});
}

TEST_CASE("a callee is destroyed before its caller is resumed", "[step08]") {
  Log log;
  run(count_calls(&log, 1));
  REQUIRE(log == Log{"local 0", "local 1", "2 calls"});
}

TEST_CASE("kill_task destroys every callee before its caller", "[step08]") {
  Log log;
  Scheduler scheduler;
  scheduler.new_task(count_calls(&log, 2));
  scheduler.new_task(kill(&log, 1, 1));
  scheduler.run();
  REQUIRE(log == Log{"kills", "local 0", "local 1", "local 2", "killer continues"});
}

TEST_CASE("exec_task in a callee replaces all coroutines of the task", "[step08]") {
  Log log;
  run(calls_exec(&log, exec_in_callee(&log, say(&log, {"new", "continues"}))));
  REQUIRE(log == Log{"callee is destroyed", "caller is destroyed", "new", "continues"});
}

TEST_CASE("a second call of a coroutine throws into its caller", "[step08]") {
  Log log;
  run(calls_again(&log, say(&log, {"callee"})));
  REQUIRE(log == Log{"callee", "has called", "A coroutine can run only once"});
}

TEST_CASE("a coroutine that has been moved cannot be started", "[step08]") {
  Log log;
  Scheduler scheduler;
  Coroutine<> coroutine = say(&log, {"a"});
  scheduler.new_task(std::move(coroutine));
  REQUIRE_THROWS_WITH(scheduler.new_task(std::move(coroutine)), "A coroutine can run only once");
  scheduler.run();
  REQUIRE(log == Log{"a"});
}

TEST_CASE("a million nested calls run and return within 16 KiB of the call stack", "[step08]") {
  int result = 0;
  REQUIRE(stack_used([&] { run(call_nested(million, &result)); }) < most_stack);
  REQUIRE(result == million + 1);
  REQUIRE(Counted::count == 0);
}

TEST_CASE("a task with a million nested calls can be killed", "[step08]") {
  Log log;
  int result = 0;
  Scheduler scheduler;
  scheduler.new_task(call_nested(million, &result));
  scheduler.new_task(act(0, [&] {
    REQUIRE(Counted::count == million + 1);
    REQUIRE(stack_used([&] { scheduler.kill_task(1); }) < most_stack);
  }));
  scheduler.run();
  REQUIRE(result == 0);
  REQUIRE(Counted::count == 0);
}

TEST_CASE("a million calls in a loop run within 16 KiB of the call stack", "[step08]") {
  std::int64_t sum = 0;
  REQUIRE(stack_used([&] { run(call_often(million, &sum)); }) < most_stack);
  REQUIRE(sum == std::int64_t{million} * (million - 1) / 2);
}
