#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "world.hpp"

using namespace coop;

namespace {

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

Coroutine<> log_result(Log* out, Handle<std::string> task) {
  const std::string result = co_await task;
  out->push_back(result);
}

Coroutine<> join_finished(Handle<int> task, std::uint64_t* turns) {
  co_await yield();
  co_await yield();
  const std::uint64_t before = Scheduler::current().turns();
  for (int i = 0; i < 100; ++i) {
    const int result = co_await task;
    if (result != 7) throw std::logic_error("not the result");
  }
  *turns = Scheduler::current().turns() - before;
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

Coroutine<std::unique_ptr<int>> make_later(int value) {
  co_await yield();
  co_return std::make_unique<int>(value);
}

Coroutine<> await_pointer(int* out, Handle<std::unique_ptr<int>> task) {
  const std::unique_ptr<int> result = co_await task;
  const std::unique_ptr<int> other = co_await with_timeout(std::chrono::seconds(1), make_later(2));
  *out = *result + *other;
}

}  // namespace

TEST_CASE_METHOD(World, "tasks take turns in the order in which they were spawned", "[step09]") {
  const auto twice = [](Log* out, std::string name) -> Coroutine<> {
    out->push_back(name + "1");
    co_await yield();
    out->push_back(name + "2");
  };
  for (const char* name : {"a", "b", "c"}) scheduler.spawn(twice(&log, name));
  scheduler.run();
  REQUIRE(log == Log{"a1", "b1", "c1", "a2", "b2", "c2"});
}

TEST_CASE_METHOD(World, "ids count from 1 and are never used twice", "[step09]") {
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

TEST_CASE_METHOD(World, "the last task that is spawned high has the first turn", "[step09]") {
  scheduler.spawn(say(&log, "normal"));
  scheduler.spawn(say(&log, "high 1"), Priority::high);
  scheduler.spawn(say(&log, "high 2"), Priority::high);
  scheduler.run();
  REQUIRE(log == Log{"high 2", "high 1", "normal"});
}

TEST_CASE_METHOD(World, "a high task is put at the end after its first yield", "[step09]") {
  scheduler.spawn(say(&log, "normal 1", 1));
  scheduler.spawn(say(&log, "normal 2", 1));
  scheduler.spawn(say(&log, "high", 1), Priority::high);
  scheduler.spawn(say(&log, "low", 0));
  scheduler.run();
  REQUIRE(log == Log{"low", "high", "normal 1", "normal 2"});
}

TEST_CASE_METHOD(World, "a high task is put at the end when it is woken", "[step09]") {
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

TEST_CASE_METHOD(World, "a chain of high tasks starves the normal tasks", "[step09]") {
  scheduler.spawn(say(&log, "normal"));
  scheduler.spawn(chain(&log, 999), Priority::high);
  scheduler.run();
  Log expected(1000, "high");
  expected.emplace_back("normal");
  REQUIRE(log == expected);
}

TEST_CASE_METHOD(World, "any number of tasks can await a result before and after the end",
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

TEST_CASE_METHOD(World, "awaiting a result leaves it for the other tasks", "[step09]") {
  const std::string text(100, 'x');  // longer than what a string has in itself
  const Handle<std::string> task = scheduler.spawn(give(text, 1));
  for (int i = 0; i < 2; ++i) scheduler.spawn(log_result(&log, task));
  scheduler.run();
  REQUIRE(log == Log{text, text});
}

TEST_CASE_METHOD(World, "awaiting a finished task takes no turn", "[step09]") {
  std::uint64_t turns = 1000;
  scheduler.run(join_finished(scheduler.spawn(give(7)), &turns));
  REQUIRE(turns == 0);
}

TEST_CASE_METHOD(World, "spawning a moved coroutine throws", "[step09]") {
  Coroutine<> from = say(&log, "moved");
  Coroutine<> to = std::move(from);
  REQUIRE_THROWS_AS(scheduler.spawn(std::move(from)), std::invalid_argument);
  REQUIRE(scheduler.spawn(std::move(to))->id() == 1);
  REQUIRE(run(scheduler) == "nothing");
  REQUIRE(log == Log{"moved"});
}

TEST_CASE_METHOD(World, "awaiting a coroutine twice throws", "[step09]") {
  scheduler.spawn(report(&log, "twice", await_twice(&log)));
  scheduler.run();
  REQUIRE(log == Log{"once", "twice: A coroutine can run only once"});
}

TEST_CASE_METHOD(World, "an error is thrown at every await of the handle", "[step09]") {
  const Handle<void> task = scheduler.spawn(fail("oh", 1));
  scheduler.spawn(join(&log, "a", task));
  scheduler.spawn(join_twice(&log, task));
  scheduler.run();
  REQUIRE(log == Log{"a: oh", "inner: oh", "first: done", "inner: oh", "second: done"});
}

TEST_CASE_METHOD(World, "a handle that is assigned to releases its task", "[step09]") {
  Handle<void> handle = scheduler.spawn(fail("oh"));
  scheduler.run();
  REQUIRE_FALSE(handle->is_cancelled());
  handle = scheduler.spawn(say(&log, "second"));
  REQUIRE(handle->id() == 2);
  REQUIRE(run(scheduler) == "oh");
  REQUIRE(log.empty());  // the error of the first one was unhandled, which ended the second one
}

TEST_CASE_METHOD(World, "a result that can only be moved can be awaited", "[step09]") {
  int sum = 0;
  scheduler.run(await_pointer(&sum, scheduler.spawn(make_later(5))));
  REQUIRE(sum == 7);
  REQUIRE(*scheduler.run(make_later(9)) == 9);
}

TEST_CASE_METHOD(World, "run throws Cancelled if the main task has no result", "[step09]") {
  const auto end = []() -> Coroutine<int> {
    Scheduler::current().shutdown();
    co_await yield();
    co_return 1;
  };
  REQUIRE_THROWS_AS(scheduler.run(end()), Cancelled);
}
