#include <memory>
#include <stdexcept>
#include <type_traits>

#include "probe.hpp"

using namespace coop;

namespace {

Coroutine<> hold(Log* out, std::shared_ptr<int>) {
  out->push_back("never");
  co_return;
}

/// Lives on when it is cancelled.
Coroutine<> stubborn(Log* out, Event* event, int times) {
  for (int i = 0; i < times; ++i) {
    co_await report(out, "stubborn", until(event));
  }
  co_await yield();
  out->push_back("stubborn ends");
}

Coroutine<> cancel_itself(Log* out, ManualEvent* ready) {
  this_task().cancel("by itself");
  out->push_back(this_task().is_cancelled() ? "marked" : "not marked");
  co_await *ready;
  out->push_back("what is ready is no wait");
  co_await say(out, "a call is none");
  co_await yield();
  out->push_back("never");
}

Coroutine<> catch_errors(Log* out, Event* event) {
  try {
    co_await *event;
  } catch (const std::exception&) {
    out->push_back("taken for an error");
  }
}

Coroutine<> protected_then(Log* out, Event* event, int turns) {
  co_await protect(until(event));
  out->push_back("protected part done");
  co_await say(out, "after", turns);
}

Coroutine<> wait_after_protection(Log* out, Event* event) {
  co_await protect(until(event));
  co_await yield();
  out->push_back("outer part done");
}

Coroutine<> inner_protected(Log* out, Event* first, Event* second) {
  co_await protect(report(out, "inner", until(first)));
  co_await report(out, "outer", until(second));
}

Coroutine<int> protected_twice(Log* out, Event* event) {
  co_await protect(until(event));
  co_await protect(say(out, "the next protected part", 1));
  co_return 7;
}

Coroutine<int> end_marked() {
  this_task().cancel();
  co_return 7;
}

Coroutine<> keep_result(Handle<int> task, int* result) {
  *result = co_await task;
}

Coroutine<> end_with(std::shared_ptr<void>) {
  co_return;
}

Coroutine<> catch_and_go_on(Log* out, Event* first, Event* second) {
  co_await report(out, "first", until(first));
  co_await report(out, "second", until(second));
}

}  // namespace

TEST_CASE_METHOD(World, "a cancellation is not caught by a catch for errors", "[step09]") {
  ManualEvent event;
  const Handle<void> task = scheduler.spawn(catch_errors(&log, &event));
  scheduler.spawn(cancel(&*task, "because"));
  scheduler.spawn(join(&log, "task", task));
  scheduler.run();
  REQUIRE(log == Log{"task: cancelled: because"});
}

TEST_CASE_METHOD(World, "a task that is cancelled before its first turn never runs", "[step09]") {
  const auto argument = std::make_shared<int>(1);
  const Handle<void> task = scheduler.spawn(hold(&log, argument));
  REQUIRE(argument.use_count() == 2);
  task->cancel("too soon");
  scheduler.run();
  REQUIRE(argument.use_count() == 1);
  REQUIRE(task->is_finished());
  scheduler.run(join(&log, "task", task));
  REQUIRE(log == Log{"task: cancelled: too soon"});
}

TEST_CASE_METHOD(World, "a cancellation that follows an error is thrown at the next wait",
                 "[step09]") {
  Probe probe(&log, "p");
  ManualEvent never;
  const Handle<void> task = scheduler.spawn(catch_and_go_on(&log, &probe, &never));
  scheduler.spawn(wake(&probe, failure("oh")));
  SECTION("by somebody") {
    scheduler.spawn(cancel(&*task, "why"));
    REQUIRE(run(scheduler) == "nothing");
    REQUIRE(log == Log{"start p", "stop p", "first: oh", "second: cancelled: why"});
  }
  SECTION("by the shutdown") {
    scheduler.spawn(fail("the end"));
    REQUIRE(run(scheduler) == "the end");
    REQUIRE(log == Log{"start p", "stop p", "first: oh", "second: cancelled: graceful shutdown"});
  }
}

TEST_CASE_METHOD(World, "neither an event nor a second cancellation wakes a cancelled task",
                 "[step09]") {
  ManualEvent event;
  const Handle<void> task = scheduler.spawn(report(&log, "task", until(&event)));
  scheduler.spawn(cancel(&*task, "first"));
  scheduler.spawn(cancel(&*task, "second"));
  scheduler.spawn([](ManualEvent* e) -> Coroutine<> {
    e->fail(failure("oh"));
    e->set();
    co_return;
  }(&event));
  scheduler.run();
  REQUIRE(log == Log{"task: cancelled: first"});
}

TEST_CASE_METHOD(World, "a task can cancel itself while its last frame is destroyed", "[step09]") {
  const auto cancel_itself = [](void*) { this_task().cancel(); };
  scheduler.spawn(end_with(std::shared_ptr<void>(nullptr, cancel_itself)));
  REQUIRE(run(scheduler) == "nothing");
}

TEST_CASE_METHOD(World, "a task can catch a cancellation and continue until the next one",
                 "[step09]") {
  ManualEvent event;
  const Handle<void> task = scheduler.spawn(stubborn(&log, &event, 2));
  scheduler.spawn(cancel(&*task, "first"));
  scheduler.spawn([](Task* victim) -> Coroutine<> {
    co_await yield();
    co_await yield();
    victim->cancel("second");
  }(&*task));
  scheduler.spawn(join(&log, "join", task));
  scheduler.run();
  REQUIRE(log == Log{"stubborn: cancelled: first", "stubborn: cancelled: second", "stubborn ends",
                     "join: done"});
}

TEST_CASE_METHOD(World, "a task that cancels itself continues to its next wait", "[step09]") {
  ManualEvent ready;
  ready.set();
  scheduler.run(report(&log, "task", cancel_itself(&log, &ready)));
  REQUIRE(log == Log{"marked", "what is ready is no wait", "a call is none",
                     "task: cancelled: by itself"});
}

TEST_CASE_METHOD(World, "a cancelled task that does not wait again returns its result",
                 "[step09]") {
  int result = 0;
  const Handle<int> task = scheduler.spawn(end_marked());
  scheduler.run(keep_result(task, &result));
  REQUIRE(result == 7);
  REQUIRE(task->is_cancelled());
}

TEST_CASE_METHOD(World, "a protected task is cancelled at its next wait without protection",
                 "[step09]") {
  ManualEvent event;
  Handle<void> task = scheduler.spawn(protected_then(&log, &event, 1));
  scheduler.spawn(cancel(&*task));
  scheduler.spawn(set(&event));
  scheduler.spawn(join(&log, "join", task));
  scheduler.run();
  REQUIRE(log == Log{"protected part done", "join: cancelled: cancelled"});
}

TEST_CASE_METHOD(World, "a cancellation is not thrown at the end of a protection", "[step09]") {
  ManualEvent event;
  int result = 0;
  const Handle<int> task = scheduler.spawn(protected_twice(&log, &event));
  scheduler.spawn(cancel(&*task));
  scheduler.spawn(set(&event));
  scheduler.run(keep_result(task, &result));
  REQUIRE(log == Log{"the next protected part"});
  REQUIRE(result == 7);
}

TEST_CASE_METHOD(World, "protections can be nested", "[step09]") {
  ManualEvent event, never;
  const Handle<void> twice = scheduler.spawn(protect(wait_after_protection(&log, &event)));
  const Handle<void> inner = scheduler.spawn(inner_protected(&log, &event, &never));
  scheduler.spawn(cancel(&*twice));
  scheduler.spawn(cancel(&*inner));
  scheduler.spawn(set(&event));
  scheduler.run();
  REQUIRE(log == Log{"inner: done", "outer: cancelled: cancelled", "outer part done"});
}
