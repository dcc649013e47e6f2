#include <chrono>
#include <stdexcept>
#include <string>
#include <vector>

#include "items.hpp"

using namespace coop;
using namespace std::chrono_literals;

namespace {

Coroutine<> fail_at(Seen* seen, int item, int bad) {
  const Active active(seen, item);
  if (item == bad) throw std::runtime_error("item " + std::to_string(item));
  co_await delay(10ms);
  seen->ended.push_back(item);
}

Coroutine<> cancel_then_nap(Task* task, Seen* seen, int item) {
  task->cancel("by an item");
  co_await nap(seen, item);
}

Coroutine<> cancel_then_iterate(Seen* seen) {
  current_task().cancel("before");
  const auto item = [seen](int i) { return nap(seen, i); };
  co_await for_each(numbers(1, 3), item, 2);
}

}  // namespace

TEST_CASE_METHOD(World, "for_each: an error stops it, and those that had begun end", "[step09]") {
  Seen seen;
  const auto item = [&seen](int i) { return fail_at(&seen, i, 3); };
  scheduler.run(report_end(&log, &seen, for_each(numbers(1, 10), item, 4)));
  REQUIRE(log == Log{"all: item 3", "0 active"});
  REQUIRE(seen.begun == numbers(1, 3));
  REQUIRE(seen.ended == numbers(1, 2));
}

TEST_CASE_METHOD(World, "for_each: an error in the function itself, or no coroutine", "[step09]") {
  const auto throwing = [](int) -> Coroutine<> { throw std::runtime_error("no"); };
  const auto none = [](int) { return Coroutine<>(); };
  scheduler.run(report(&log, "a", for_each(numbers(1, 3), throwing, 2)));
  scheduler.run(report(&log, "b", for_each(numbers(1, 3), none, 2)));
  REQUIRE(log == Log{"a: no", "b: There is no coroutine to call"});
}

TEST_CASE_METHOD(World, "for_each: an error comes out though the caller is cancelled after it",
                 "[step09]") {
  Seen seen;
  const auto item = [&seen](int i) { return i == 2 ? fail("oh") : nap(&seen, i); };
  const Handle<void> all = scheduler.spawn(report(&log, "all", for_each(numbers(1, 3), item, 2)));
  scheduler.spawn([](Task* task) -> Coroutine<> {
    co_await suspend();
    co_await suspend();
    task->cancel();
  }(&*all));
  scheduler.run();
  REQUIRE(log == Log{"all: oh"});
}

TEST_CASE_METHOD(World, "for_each: if the caller is cancelled, so are the items", "[step09]") {
  Seen seen;
  const auto item = [&seen](int i) { return nap(&seen, 1000 * i); };
  const Handle<void> task =
      scheduler.spawn(report_end(&log, &seen, for_each(numbers(1, 10), item, 3)));
  const auto later = [](Task* victim) -> Coroutine<> {
    co_await delay(1500ms);
    victim->cancel("why");
  };
  scheduler.spawn(later(&*task));
  scheduler.run();
  REQUIRE(log == Log{"all: cancelled: why", "0 active"});
  REQUIRE(seen.begun.size() == 4);
  REQUIRE(seen.ended.size() == 1);
}

TEST_CASE_METHOD(World, "for_each: cancelled before one of its tasks had its first turn",
                 "[step09]") {
  Seen seen;
  SECTION("the first one") {
    scheduler.spawn(report(&log, "all", cancel_then_iterate(&seen)));
  }
  SECTION("the second one") {
    Task* caller = nullptr;
    const auto item = [&](int i) { return cancel_then_nap(caller, &seen, i); };
    const Handle<void> task =
        scheduler.spawn(report(&log, "all", for_each(numbers(1, 3), item, 2)));
    caller = &*task;
    scheduler.run();
  }
  REQUIRE(run(scheduler) == "nothing");
  REQUIRE(log.size() == 1);
  REQUIRE(log[0].find("all: cancelled: b") == 0);
  REQUIRE(seen.ended.empty());
}

TEST_CASE_METHOD(World, "for_each: a shutdown before one of its tasks had its first turn",
                 "[step09]") {
  Seen seen;
  const auto item = [&seen](int i) { return nap(&seen, i); };
  scheduler.spawn(report(&log, "all", for_each(numbers(1, 3), item, 2)));
  scheduler.spawn(fail("oh"));
  REQUIRE(run(scheduler) == "oh");
  REQUIRE(log == Log{"all: cancelled: graceful shutdown"});
}

TEST_CASE_METHOD(World, "for_each: no item is lost without an error", "[step09]") {
  Seen seen;
  const auto item = [&seen](int i) { return nap(&seen, i); };
  scheduler.spawn(report(&log, "all", for_each(numbers(1, 3), item, 2)));
  const auto cancel_first_worker = []() -> Coroutine<> {
    Scheduler::current().task(3).cancel("its task");
    co_return;
  };
  scheduler.spawn(cancel_first_worker());
  REQUIRE(run(scheduler) == "nothing");
  REQUIRE(log.size() == 1);
  REQUIRE(log[0].find("all: cancelled: ") == 0);
}

TEST_CASE_METHOD(World, "for_each: its microtask may have its turn when it is over", "[step09]") {
  const auto item = [this](int) {
    scheduler.defer([] { throw std::runtime_error("before the microtask"); });
    return say(&log, "item");
  };
  scheduler.spawn(report(&log, "all", for_each(numbers(1, 1), item, 2)));
  REQUIRE(run(scheduler) == "before the microtask");
  REQUIRE(log == Log{"item", "all: cancelled: graceful shutdown"});
}
