#include <optional>
#include <vector>

#include "probe.hpp"

using namespace coop;

namespace {

Coroutine<> wait_three_times(Log* out, Event* event) {
  for (int i = 0; i < 3; ++i) {
    co_await wait(*event);
    out->push_back("woken");
  }
}

/// Waits for two events, of which the second one happens, then for another one.
Coroutine<> wait_for_another(Log* out, std::string name, Event* loser, ManualEvent* events) {
  co_await wait_any(*loser, events[0]);
  co_await report(out, name, until(&events[1]));
}

}  // namespace

TEST_CASE_METHOD(World, "a manual event wakes all who wait, in the order they came", "[step09]") {
  ManualEvent event;
  for (const char* name : {"1", "2", "3"}) scheduler.spawn(report(&log, name, until(&event)));
  scheduler.spawn(set(&event));
  scheduler.run();
  REQUIRE(log == Log{"1: done", "2: done", "3: done"});
  REQUIRE(event.is_ready());
  event.reset();
  REQUIRE_FALSE(event.is_ready());
}

TEST_CASE_METHOD(World, "a manual event keeps its order when some of its waiters have left",
                 "[step09]") {
  ManualEvent event;
  std::vector<Handle<void>> tasks;
  for (const char* name : {"1", "2", "3"}) {
    tasks.push_back(scheduler.spawn(report(&log, name, until(&event))));
  }
  scheduler.spawn(cancel(&*tasks[0]));
  scheduler.spawn(report(&log, "4", until(&event)));
  scheduler.spawn(cancel(&*tasks[2]));
  scheduler.spawn(say(&log, "set", 2));
  scheduler.spawn([](ManualEvent* e) -> Coroutine<> {
    co_await suspend();
    co_await suspend();
    e->set();
  }(&event));
  scheduler.run();
  REQUIRE(log ==
          Log{"1: cancelled: cancelled", "3: cancelled: cancelled", "set", "2: done", "4: done"});
}

TEST_CASE_METHOD(World, "an event does not wake who waits for something else by now", "[step09]") {
  ManualEvent loser, events[2];
  const Handle<void> task = scheduler.spawn(until(&loser));
  for (const char* name : {"1", "2"}) {
    scheduler.spawn(wait_for_another(&log, name, &loser, events));
    scheduler.spawn(wait_for_another(&log, name, &*task, events));
  }
  scheduler.spawn([](Log* out, ManualEvent* lost, ManualEvent* all) -> Coroutine<> {
    all[0].set();
    co_await suspend();
    lost->set();
    co_await suspend();
    co_await suspend();
    out->push_back("now");
    all[1].set();
  }(&log, &loser, events));
  scheduler.run();
  REQUIRE(log == Log{"now", "1: done", "1: done", "2: done", "2: done"});
}

TEST_CASE_METHOD(World, "an event that was reset is waited for again", "[step09]") {
  ManualEvent event;
  scheduler.spawn(wait_three_times(&log, &event));
  scheduler.spawn([](Log* out, ManualEvent* e) -> Coroutine<> {
    for (int i = 0; i < 3; ++i) {
      out->push_back("set");
      e->set();
      e->reset();
      co_await suspend();
    }
  }(&log, &event));
  scheduler.run();
  REQUIRE(log == Log{"set", "woken", "set", "woken", "set", "woken"});
}

TEST_CASE_METHOD(World, "an event that fails throws into those who wait now, and no other",
                 "[step09]") {
  ManualEvent event;
  scheduler.spawn(report(&log, "a", until(&event)));
  scheduler.spawn(report(&log, "b", until(&event)));
  scheduler.spawn([](Log* out, ManualEvent* e) -> Coroutine<> {
    e->fail(failure("oh"));
    spawn(report(out, "c", until(e)));
    co_await suspend();
    co_await suspend();
    e->set();
  }(&log, &event));
  scheduler.run();
  REQUIRE(log == Log{"a: oh", "b: oh", "c: done"});
}
