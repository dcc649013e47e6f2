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

/// Waits for the first two, of which the second one happens, then for the third one.
Coroutine<> wait_for_another(Log* out, std::string name, ManualEvent* events) {
  co_await wait_any(events[0], events[1]);
  co_await report(out, name, until(&events[2]));
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

TEST_CASE_METHOD(World, "a manual event does not wake who waits for something else by now",
                 "[step09]") {
  ManualEvent events[3];
  for (const char* name : {"1", "2"}) scheduler.spawn(wait_for_another(&log, name, events));
  scheduler.spawn([](Log* out, ManualEvent* all) -> Coroutine<> {
    all[1].set();
    co_await suspend();
    all[0].set();
    co_await suspend();
    out->push_back("now");
    all[2].set();
  }(&log, events));
  scheduler.run();
  REQUIRE(log == Log{"now", "1: done", "2: done"});
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
