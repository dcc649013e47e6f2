#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "world.hpp"

using namespace coop;

namespace {

Coroutine<> spawn_and_say(Log* out, Priority priority) {
  spawn(say(out, "child"), priority);
  out->push_back("parent");
  co_return;
}

/// Spawns the next one, before all others, and so on.
Coroutine<> chain(Log* out, int left) {
  if (left > 0) spawn(chain(out, left - 1), Priority::high);
  out->push_back("high");
  co_return;
}

Coroutine<> sum(std::vector<int>* results, Handle<int> task) {
  const int result = co_await task;
  results->push_back(result);
}

Coroutine<> join_finished(Handle<int> task, std::uint64_t* turns) {
  co_await suspend();
  co_await suspend();
  const std::uint64_t before = current_task().scheduler().turns();
  for (int i = 0; i < 100; ++i) {
    const int result = co_await task;
    if (result != 7) throw std::logic_error("not the result");
  }
  *turns = current_task().scheduler().turns() - before;
}

Coroutine<> join_twice(Log* out, Handle<void> task) {
  co_await report(out, "first", join(out, "inner", task));
  co_await report(out, "second", join(out, "inner", task));
}

Coroutine<> await_twice(Log* out) {
  Coroutine<> once = say(out, "once");
  co_await std::move(once);
  co_await std::move(once);
}

Coroutine<> await_moved(Log* out) {
  Coroutine<> from = say(out, "never");
  const Coroutine<> kept = std::move(from);
  co_await std::move(from);
}

Coroutine<> await_none() {
  co_await Coroutine<>();
}

Coroutine<std::unique_ptr<int>> make_later(int value) {
  co_await suspend();
  co_return std::make_unique<int>(value);
}

Coroutine<> move_only(int* out) {
  const std::unique_ptr<int> result = co_await make_later(5);
  *out = *result;
}

}  // namespace

TEST_CASE_METHOD(World, "nothing of a task runs before its first turn", "[step09]") {
  scheduler.spawn(say(&log, "runs"));
  REQUIRE(log.empty());
  REQUIRE(scheduler.turns() == 0);
  scheduler.run();
  REQUIRE(log == Log{"runs"});
  REQUIRE(scheduler.turns() == 1);
}

TEST_CASE_METHOD(World, "tasks take turns in the order in which they were spawned", "[step09]") {
  const auto twice = [](Log* out, std::string name) -> Coroutine<> {
    out->push_back(name + "1");
    co_await suspend();
    out->push_back(name + "2");
  };
  for (const char* name : {"a", "b", "c"}) scheduler.spawn(twice(&log, name));
  scheduler.run();
  REQUIRE(log == Log{"a1", "b1", "c1", "a2", "b2", "c2"});
}

TEST_CASE_METHOD(World, "ids count from 1, and none is given twice", "[step09]") {
  REQUIRE(scheduler.spawn(say(&log, ""))->id() == 1);
  REQUIRE(scheduler.spawn(say(&log, ""))->id() == 2);
  REQUIRE(&scheduler.task(2) != &scheduler.task(1));
  REQUIRE(scheduler.task(2).id() == 2);
  scheduler.run();
  REQUIRE(scheduler.spawn(say(&log, ""))->id() == 3);
  REQUIRE_THROWS_AS(scheduler.task(2), std::invalid_argument);
  REQUIRE_THROWS_AS(scheduler.task(0), std::invalid_argument);
  REQUIRE_THROWS_AS(scheduler.task(4), std::invalid_argument);
}

TEST_CASE_METHOD(World, "a task that is spawned high comes first, the last one before all",
                 "[step09]") {
  scheduler.spawn(say(&log, "normal"));
  scheduler.spawn(say(&log, "high 1"), Priority::high);
  scheduler.spawn(say(&log, "high 2"), Priority::high);
  scheduler.run();
  REQUIRE(log == Log{"high 2", "high 1", "normal"});
}

TEST_CASE_METHOD(World, "after its first suspend a high task is like any other", "[step09]") {
  scheduler.spawn(say(&log, "normal 1", 1));
  scheduler.spawn(say(&log, "normal 2", 1));
  scheduler.spawn(say(&log, "high", 1), Priority::high);
  scheduler.spawn(say(&log, "low", 0));
  scheduler.run();
  REQUIRE(log == Log{"low", "high", "normal 1", "normal 2"});
}

TEST_CASE_METHOD(World, "after it was woken a high task is like any other", "[step09]") {
  ManualEvent event;
  scheduler.spawn(report(&log, "waits", until(&event)), Priority::high);
  scheduler.spawn([](ManualEvent* e) -> Coroutine<> {
    e->set();
    co_return;
  }(&event));
  scheduler.spawn(say(&log, "normal"));
  scheduler.run();
  REQUIRE(log == Log{"normal", "waits: done"});
}

TEST_CASE_METHOD(World, "a chain of high tasks starves the normal ones", "[step09]") {
  scheduler.spawn(say(&log, "normal"));
  scheduler.spawn(chain(&log, 999), Priority::high);
  scheduler.run();
  Log expected(1000, "high");
  expected.emplace_back("normal");
  REQUIRE(log == expected);
}

TEST_CASE_METHOD(World, "a task that runs goes on when it spawns another one", "[step09]") {
  scheduler.spawn(spawn_and_say(&log, Priority::high));
  scheduler.spawn(say(&log, "other"));
  scheduler.run();
  REQUIRE(log == Log{"parent", "child", "other"});
  log.clear();
  scheduler.spawn(spawn_and_say(&log, Priority::normal));
  scheduler.spawn(say(&log, "other"));
  scheduler.run();
  REQUIRE(log == Log{"parent", "other", "child"});
}

TEST_CASE_METHOD(World, "any number of tasks get the result, before and after the end",
                 "[step09]") {
  std::vector<int> results;
  const Handle<int> task = scheduler.spawn(give(3, 2));
  for (int i = 0; i < 3; ++i) scheduler.spawn(sum(&results, task));
  scheduler.run();
  REQUIRE(results == std::vector<int>{3, 3, 3});
  REQUIRE(task->is_finished());
  scheduler.run(sum(&results, task));
  REQUIRE(results.size() == 4);
}

TEST_CASE_METHOD(World, "those who join a task go on in the order in which they came", "[step09]") {
  const Handle<void> task = scheduler.spawn(say(&log, "end", 3));
  for (const char* name : {"1", "2", "3"}) scheduler.spawn(join(&log, name, task));
  scheduler.run();
  REQUIRE(log == Log{"end", "1: done", "2: done", "3: done"});
}

TEST_CASE_METHOD(World, "awaiting a finished task costs no turn", "[step09]") {
  std::uint64_t turns = 1000;
  scheduler.run(join_finished(scheduler.spawn(give(7)), &turns));
  REQUIRE(turns == 0);
}

TEST_CASE_METHOD(World, "a result lives as long as a handle", "[step09]") {
  {
    const Handle<Living> task = scheduler.spawn(give(Living()));
    const Handle<Living> copy = task;
    scheduler.run();
    REQUIRE(Living::count == 1);
  }
  REQUIRE(Living::count == 0);
  scheduler.spawn(give(Living()));
  scheduler.run();
  REQUIRE(Living::count == 0);
}

TEST_CASE_METHOD(World, "no coroutine makes no task", "[step09]") {
  REQUIRE_THROWS_AS(scheduler.spawn(Coroutine<>()), std::invalid_argument);
  Coroutine<> from = say(&log, "moved");
  Coroutine<> to = std::move(from);
  REQUIRE_THROWS_AS(scheduler.spawn(std::move(from)), std::invalid_argument);
  REQUIRE_THROWS_AS(scheduler.run(Coroutine<>()), std::invalid_argument);
  REQUIRE(scheduler.spawn(std::move(to))->id() == 1);
  REQUIRE(run(scheduler) == "nothing");
  REQUIRE(log == Log{"moved"});
}

TEST_CASE_METHOD(World, "awaiting none, one moved away, or one awaited before, throws",
                 "[step09]") {
  scheduler.spawn(report(&log, "twice", await_twice(&log)));
  scheduler.spawn(report(&log, "moved", await_moved(&log)));
  scheduler.spawn(report(&log, "none", await_none()));
  scheduler.run();
  REQUIRE(log == Log{"once", "twice: There is no coroutine to call",
                     "moved: There is no coroutine to call",
                     "none: There is no coroutine to call"});
}

TEST_CASE_METHOD(World, "a called coroutine may return what can only be moved", "[step09]") {
  int result = 0;
  scheduler.run(move_only(&result));
  REQUIRE(result == 5);
}

TEST_CASE_METHOD(World, "what leaves a called coroutine is thrown into its caller", "[step09]") {
  scheduler.spawn(report(&log, "at once", fail("oh")));
  scheduler.spawn(report(&log, "later", fail("oh", 2)));
  scheduler.run();
  REQUIRE(log == Log{"at once: oh", "later: oh"});
}

TEST_CASE_METHOD(World, "an error is thrown into everybody who joins, now and later", "[step09]") {
  const Handle<void> task = scheduler.spawn(fail("oh", 1));
  scheduler.spawn(join(&log, "a", task));
  scheduler.spawn(join_twice(&log, task));
  scheduler.run();
  REQUIRE(log == Log{"a: oh", "inner: oh", "first: done", "inner: oh", "second: done"});
}

TEST_CASE_METHOD(World, "a handle that is assigned to lets go of its task", "[step09]") {
  Handle<void> handle = scheduler.spawn(fail("oh"));
  scheduler.run();
  REQUIRE_FALSE(handle->is_cancelled());
  handle = scheduler.spawn(say(&log, "second"));
  REQUIRE(handle->id() == 2);
  REQUIRE(run(scheduler) == "oh");
  REQUIRE(log.empty());  // the error of the first one was unhandled, which ended the second one
}

TEST_CASE("a handle can be copied, a coroutine can only be moved", "[step09]") {
  STATIC_REQUIRE(std::is_nothrow_copy_constructible_v<Handle<int>>);
  STATIC_REQUIRE_FALSE(std::is_copy_constructible_v<Coroutine<>>);
  STATIC_REQUIRE(std::is_nothrow_move_constructible_v<Coroutine<>>);
}
