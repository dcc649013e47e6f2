#include <chrono>
#include <stdexcept>
#include <tuple>
#include <vector>

#include "coop/all_of.hpp"
#include "coop/for_each.hpp"
#include "probe.hpp"

using namespace coop;
using namespace std::chrono_literals;

namespace {

Coroutine<> finally_number(Log* out, Coroutine<int> body) {
  const int number = co_await with_finally(std::move(body), say(out, "cleanup", 1));
  out->push_back(std::to_string(number));
}

Coroutine<> timeout_number(Log* out, Clock::duration time, Coroutine<int> body) {
  return log_number(out, with_timeout(time, std::move(body)));
}

Coroutine<int> number_after(Clock::duration time) {
  const Living living;
  co_await sleep(time);
  co_return 7;
}

/// Takes its time to end.
Coroutine<> slow_to_end(Log* out, Event* event) {
  co_await with_finally(report(out, "body", until(event)), sleep(10ms));
  out->push_back("ended");
}

}  // namespace

TEST_CASE_METHOD(World, "protect returns the result or throws the error of the body", "[step09]") {
  scheduler.spawn(finally_number(&log, protect(give(7, 1))));
  scheduler.run();
  REQUIRE(log == Log{"cleanup", "7"});
  REQUIRE_THROWS_WITH(scheduler.run(protect(fail("oh", 1))), "oh");
}

TEST_CASE_METHOD(World, "with_finally runs the clean-up when the body throws", "[step09]") {
  scheduler.spawn(report(&log, "all", with_finally(fail("oh", 1), say(&log, "cleanup", 2))));
  scheduler.run();
  REQUIRE(log == Log{"cleanup", "all: oh"});
}

TEST_CASE_METHOD(World, "with_finally awaits its clean-up when the body is cancelled", "[step09]") {
  ManualEvent never;
  const Handle<void> task =
      scheduler.spawn(report(&log, "all", with_finally(until(&never), say(&log, "cleanup", 3))));
  scheduler.spawn(cancel(&*task, "why"));
  scheduler.run();
  REQUIRE(log == Log{"cleanup", "all: cancelled: why"});
}

TEST_CASE_METHOD(World, "with_finally protects the clean-up", "[step09]") {
  ManualEvent never;
  const Handle<void> task = scheduler.spawn([](Log* out, Event* e) -> Coroutine<> {
    co_await report(out, "all", with_finally(say(out, "body"), say(out, "cleanup", 3)));
    co_await report(out, "behind", until(e));
  }(&log, &never));
  scheduler.spawn(cancel(&*task, "why"));
  scheduler.run();
  REQUIRE(log == Log{"body", "cleanup", "all: done", "behind: cancelled: why"});
}

TEST_CASE_METHOD(World, "with_finally throws an error of the clean-up", "[step09]") {
  scheduler.spawn(report(&log, "a", with_finally(say(&log, "body"), fail("cleanup"))));
  scheduler.spawn(report(&log, "b", with_finally(fail("body"), fail("cleanup"))));
  scheduler.run();
  REQUIRE(log == Log{"body", "a: cleanup", "b: cleanup"});
}

TEST_CASE_METHOD(World, "with_timeout returns the result in time and stops the timer", "[step09]") {
  scheduler.run(timeout_number(&log, 10ms, number_after(9ms)));
  scheduler.run(timeout_number(&log, 10ms, give(8)));
  REQUIRE(log == Log{"7", "8"});
  REQUIRE_FALSE(reactor.active());
  REQUIRE(reactor.now().time_since_epoch() == 9ms);
}

TEST_CASE_METHOD(World, "with_timeout cancels a late body and awaits its end", "[step09]") {
  ManualEvent never;
  scheduler.run(report(&log, "all", with_timeout(10ms, slow_to_end(&log, &never))));
  REQUIRE(log == Log{"body: cancelled: timed out", "ended", "all: The time is over"});
  REQUIRE(reactor.now().time_since_epoch() == 20ms);
}

TEST_CASE_METHOD(World, "with_timeout throws although a late body returns a result", "[step09]") {
  scheduler.spawn(report(&log, "all", timeout_number(&log, 10ms, protect(number_after(30ms)))));
  scheduler.run();
  REQUIRE(log == Log{"all: The time is over"});
  REQUIRE(reactor.now().time_since_epoch() == 30ms);
}

TEST_CASE_METHOD(World, "with_timeout cancels its body when its caller is cancelled", "[step09]") {
  ManualEvent never;
  const Handle<void> task =
      scheduler.spawn(report(&log, "all", with_timeout(10ms, slow_to_end(&log, &never))));
  scheduler.spawn(cancel(&*task, "from outside", 1));
  scheduler.run();
  REQUIRE(log == Log{"body: cancelled: from outside", "ended", "all: cancelled: from outside"});
  REQUIRE(reactor.now().time_since_epoch() == 10ms);  // that of the slow end
}

TEST_CASE_METHOD(World, "a cancellation while a late body ends comes after TimedOut", "[step09]") {
  ManualEvent never;
  const Handle<void> task = scheduler.spawn([](Log* out, ManualEvent* e) -> Coroutine<> {
    co_await report(out, "all", with_timeout(10ms, slow_to_end(out, e)));
    co_await report(out, "behind", until(e));
  }(&log, &never));
  scheduler.spawn([](Task* late) -> Coroutine<> {
    co_await sleep(15ms);
    late->cancel("from outside");
  }(&*task));
  scheduler.run();
  REQUIRE(log == Log{"body: cancelled: timed out", "ended", "all: The time is over",
                     "behind: cancelled: from outside"});
}

TEST_CASE_METHOD(World, "with_timeout throws an error of a late body", "[step09]") {
  ManualEvent never;
  scheduler.run(report(&log, "all", with_timeout(10ms, fail_when_cancelled(&never))));
  REQUIRE(log == Log{"all: clean-up"});
}

TEST_CASE_METHOD(World, "with_timeout waits for an event", "[step09]") {
  ManualEvent never, soon;
  scheduler.spawn(report(&log, "in time", with_timeout(2ms, soon)));
  scheduler.spawn(report(&log, "late", with_timeout(2ms, never)));
  scheduler.spawn([](Log* out, ManualEvent* event) -> Coroutine<> {
    co_await with_timeout(2ms, Timer(1ms));
    out->push_back("1 ms");
    event->set();
  }(&log, &soon));
  scheduler.run();
  REQUIRE(log == Log{"1 ms", "in time: done", "late: The time is over"});
  REQUIRE_FALSE(never.is_awaited());
}

TEST_CASE_METHOD(World, "with_timeout waits for a task without cancelling it", "[step09]") {
  const auto body = [](Log* out) -> Coroutine<> {
    const Handle<int> number = spawn(number_after(5ms));
    const Handle<void> failing = spawn(fail("oh"));
    co_await report(out, "failing", with_timeout(1ms, failing));
    co_await report(out, "late", timeout_number(out, 1h, with_timeout(1ms, number)));
    const int result = co_await with_timeout(9ms, number);
    out->push_back(std::to_string(result));
  };
  scheduler.run(body(&log));
  REQUIRE(log == Log{"failing: oh", "late: The time is over", "7"});
}

TEST_CASE_METHOD(World, "a wait for tasks returns its result although its caller is cancelled",
                 "[step09]") {
  const auto in_time = [](Log* out) { return timeout_number(out, 5ms, number_after(1ms)); };
  const auto in_scope = [](Log* out) -> Coroutine<> {
    const auto body = [](Scope*) { return number_after(1ms); };
    co_await log_number(out, with_scope(body));
  };
  const auto all = [](Log* out) -> Coroutine<> {
    const std::tuple<int> results = co_await all_of(number_after(1ms));
    out->push_back(std::to_string(std::get<0>(results)));
  };
  const auto each = [](Log* out) -> Coroutine<> {
    const auto wait = [](int) { return sleep(1ms); };
    co_await for_each(std::vector<int>(1), wait, 1);
    out->push_back("7");
  };
  const auto cancel_after = [](Task* target) -> Coroutine<> {
    co_await yield();
    co_await sleep(1ms);  // its turn is between that of the coroutine and that of the caller
    target->cancel("why");
  };
  for (Coroutine<> (*wait)(Log*) : {+in_time, +in_scope, +all, +each}) {
    log.clear();
    const Handle<void> task = scheduler.spawn([](Log* out, auto* body) -> Coroutine<> {
      co_await body(out);
      co_await report(out, "next wait", sleep(1ms));
    }(&log, wait));
    scheduler.spawn(cancel_after(&*task));
    scheduler.run();
    CHECK(log == Log{"7", "next wait: cancelled: why"});
  }
}
