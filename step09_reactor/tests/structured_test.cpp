#include <chrono>
#include <stdexcept>

#include "probe.hpp"

using namespace coop;
using namespace std::chrono_literals;

namespace {

Coroutine<> finally_number(Log* out, Coroutine<int> body) {
  const int number = co_await with_finally(std::move(body), say(out, "cleanup", 1));
  out->push_back(std::to_string(number));
}

Coroutine<> timeout_number(Log* out, Clock::duration time, Coroutine<int> body) {
  const int number = co_await with_timeout(time, std::move(body));
  out->push_back(std::to_string(number));
}

Coroutine<int> number_after(Clock::duration time) {
  const Living living;
  co_await delay(time);
  co_return 7;
}

/// Takes its time to end.
Coroutine<> slow_to_end(Log* out, Event* event) {
  co_await with_finally(report(out, "body", until(event)), delay(10ms));
  out->push_back("ended");
}

Coroutine<> fail_when_cancelled(Event* event) {
  try {
    co_await wait(*event);
  } catch (const Cancelled&) {
    throw std::runtime_error("in the clean-up");
  }
}

Coroutine<> cancel_later(Task* task) {
  co_await suspend();
  task->cancel("from outside");
}

Coroutine<> let_time_pass(FakeReactor* reactor) {
  co_await suspend();
  reactor->pass(20ms);
}

}  // namespace

TEST_CASE_METHOD(World, "protect() gives the result, or throws what the body threw", "[step09]") {
  scheduler.spawn(finally_number(&log, protect(give(7, 1))));
  scheduler.run();
  REQUIRE(log == Log{"cleanup", "7"});
  REQUIRE_THROWS_WITH(scheduler.run(protect(fail("oh", 1))), "oh");
}

TEST_CASE_METHOD(World, "the protection ends with the body, however it ends", "[step09]") {
  ManualEvent never;
  const Handle<void> task = scheduler.spawn([](Log* out, Event* e) -> Coroutine<> {
    co_await report(out, "first", protect(fail("oh", 1)));
    co_await report(out, "second", until(e));
  }(&log, &never));
  scheduler.spawn(cancel(&*task));
  scheduler.run();
  REQUIRE(log == Log{"first: oh", "second: cancelled: cancelled"});
}

TEST_CASE_METHOD(World, "with_finally: the clean-up runs behind the body, then comes the result",
                 "[step09]") {
  scheduler.run(finally_number(&log, give(7, 2)));
  REQUIRE(log == Log{"cleanup", "7"});
}

TEST_CASE_METHOD(World, "with_finally: the clean-up runs when the body throws", "[step09]") {
  scheduler.spawn(report(&log, "all", with_finally(fail("oh", 1), say(&log, "cleanup", 2))));
  scheduler.run();
  REQUIRE(log == Log{"cleanup", "all: oh"});
}

TEST_CASE_METHOD(World, "with_finally: the clean-up runs when the body is cancelled, and may wait",
                 "[step09]") {
  ManualEvent never;
  const Handle<void> task =
      scheduler.spawn(report(&log, "all", with_finally(until(&never), say(&log, "cleanup", 3))));
  scheduler.spawn(cancel(&*task, "why"));
  scheduler.run();
  REQUIRE(log == Log{"cleanup", "all: cancelled: why"});
}

TEST_CASE_METHOD(World, "with_finally: the clean-up is not cancelled, what comes behind it is",
                 "[step09]") {
  ManualEvent never;
  const Handle<void> task = scheduler.spawn([](Log* out, Event* e) -> Coroutine<> {
    co_await report(out, "all", with_finally(say(out, "body"), say(out, "cleanup", 3)));
    co_await report(out, "behind", until(e));
  }(&log, &never));
  scheduler.spawn(cancel(&*task, "why"));
  scheduler.run();
  REQUIRE(log == Log{"body", "cleanup", "all: done", "behind: cancelled: why"});
}

TEST_CASE_METHOD(World, "with_finally: an error of the clean-up is thrown", "[step09]") {
  scheduler.spawn(report(&log, "a", with_finally(say(&log, "body"), fail("cleanup"))));
  scheduler.spawn(report(&log, "b", with_finally(fail("body"), fail("cleanup"))));
  scheduler.run();
  REQUIRE(log == Log{"body", "a: cleanup", "b: cleanup"});
}

TEST_CASE_METHOD(World, "with_finally: nothing is cleaned up if the body never began", "[step09]") {
  scheduler.spawn(with_finally(say(&log, "body"), say(&log, "cleanup")))->cancel();
  scheduler.run();
  REQUIRE(log.empty());
}

TEST_CASE_METHOD(World, "with_timeout: in time, there is the result, and no timer is left",
                 "[step09]") {
  scheduler.run(timeout_number(&log, 10ms, number_after(9ms)));
  scheduler.run(timeout_number(&log, 10ms, give(8)));
  REQUIRE(log == Log{"7", "8"});
  REQUIRE_FALSE(reactor.active());
  REQUIRE(reactor.now().time_since_epoch() == 9ms);
}

TEST_CASE_METHOD(World, "with_timeout: what the body throws in time comes out", "[step09]") {
  scheduler.run(report(&log, "all", with_timeout(10ms, fail("oh", 2))));
  REQUIRE(log == Log{"all: oh"});
  REQUIRE_FALSE(reactor.active());
}

TEST_CASE_METHOD(World, "with_timeout: too late, the body is cancelled and its end awaited",
                 "[step09]") {
  ManualEvent never;
  scheduler.run(report(&log, "all", with_timeout(10ms, slow_to_end(&log, &never))));
  REQUIRE(log == Log{"body: cancelled: the time is over", "ended", "all: The time is over"});
  REQUIRE(reactor.now().time_since_epoch() == 20ms);
}

TEST_CASE_METHOD(World, "with_timeout: too late is too late, though the body then gives a result",
                 "[step09]") {
  scheduler.spawn(report(&log, "all", timeout_number(&log, 10ms, protect(number_after(30ms)))));
  scheduler.run();
  REQUIRE(log == Log{"all: The time is over"});
  REQUIRE(reactor.now().time_since_epoch() == 30ms);
}

TEST_CASE_METHOD(World, "with_timeout: if the caller is cancelled, so is the body", "[step09]") {
  ManualEvent never;
  const Handle<void> task =
      scheduler.spawn(report(&log, "all", with_timeout(10ms, slow_to_end(&log, &never))));
  scheduler.spawn(cancel_later(&*task));
  scheduler.run();
  REQUIRE(log == Log{"body: cancelled: the time is over", "ended", "all: cancelled: from outside"});
  REQUIRE(reactor.now().time_since_epoch() == 10ms);  // that of the slow end
}

TEST_CASE_METHOD(World, "with_timeout: an error of the body that was cancelled comes out",
                 "[step09]") {
  ManualEvent never;
  scheduler.run(report(&log, "all", with_timeout(10ms, fail_when_cancelled(&never))));
  REQUIRE(log == Log{"all: in the clean-up"});
}

TEST_CASE_METHOD(World, "with_timeout: when the time is over at the very same moment", "[step09]") {
  // The body's timer began later than that of with_timeout(), which waits already.
  scheduler.spawn(report(&log, "all", timeout_number(&log, 10ms, number_after(10ms))));
  scheduler.run();
  REQUIRE(log == Log{"all: The time is over"});
}

TEST_CASE_METHOD(World, "with_timeout: one in another, the shorter one ends it", "[step09]") {
  ManualEvent never;
  scheduler.spawn(report(
      &log, "outer", with_timeout(20ms, report(&log, "inner", with_timeout(10ms, until(&never))))));
  scheduler.run();
  scheduler.spawn(report(
      &log, "outer", with_timeout(10ms, report(&log, "inner", with_timeout(20ms, until(&never))))));
  scheduler.run();
  REQUIRE(log == Log{"inner: The time is over", "outer: done", "inner: cancelled: the time is over",
                     "outer: The time is over"});
}

TEST_CASE_METHOD(World,
                 "with_timeout: a result that came in time is not lost when the time is over",
                 "[step09]") {
  scheduler.spawn(report(&log, "all", timeout_number(&log, 10ms, number_after(9ms))));
  scheduler.spawn(let_time_pass(&reactor));
  scheduler.run();
  REQUIRE(log == Log{"7", "all: done"});
}
