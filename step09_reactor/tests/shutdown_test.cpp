// Tasks that do not end when they are asked to.

#include <optional>
#include <stdexcept>
#include <vector>

#include "probe.hpp"

using namespace coop;
using namespace std::chrono_literals;

namespace {

Coroutine<> sleep_for_ever() {
  const Living living;
  for (;;) {
    try {
      co_await sleep(1ms);
    } catch (const Cancelled&) {
    }
  }
}

Coroutine<> yield_for_ever(FakeReactor* reactor) {
  const Living living;
  for (;;) {
    try {
      reactor->pass(1ms);
      co_await yield();
    } catch (const Cancelled&) {
    }
  }
}

Coroutine<> protect_for_ever() {
  for (;;) {
    try {
      co_await protect(sleep(24h));
    } catch (const Cancelled&) {
    }
  }
}

/// Sleeps on after each cancellation. Logs the cancellations and its end, with the time.
Coroutine<> log_ends(Log* out, const FakeReactor* reactor) {
  const auto at = [reactor](const char* what) {
    const auto now =
        std::chrono::duration_cast<std::chrono::milliseconds>(reactor->now().time_since_epoch());
    return what + std::to_string(now.count());
  };
  const std::shared_ptr<void> end = at_end([=] { out->push_back(at("destroyed at ")); });
  for (;;) {
    try {
      co_await sleep(24h);
    } catch (const Cancelled&) {
      out->push_back(at("cancelled at "));
    }
  }
}

/// Does something when its frame is destroyed.
Coroutine<> never_end_and_then(Event* event, std::shared_ptr<void>) {
  co_await never_end(event);
}

}  // namespace

struct Stubborn : World {
  Stubborn() {
    scheduler.on_deadlock([this](const std::string&) { log.push_back("deadlock"); });
  }
  ManualEvent never;
};

TEST_CASE_METHOD(Stubborn,
                 "a task that catches every cancellation and waits for a timer is destroyed",
                 "[step09]") {
  SECTION("which is short") {
    scheduler.spawn(sleep_for_ever());
  }
  SECTION("which is long and protected") {
    scheduler.spawn(protect_for_ever());
  }
  scheduler.spawn(fail("oh", 3));
  REQUIRE(run(scheduler) == "oh");
  REQUIRE(reactor.now().time_since_epoch() <= 11s);
}

TEST_CASE_METHOD(Stubborn,
                 "a shutdown cancels a task again after five seconds and destroys it after ten",
                 "[step09]") {
  scheduler.spawn(log_ends(&log, &reactor));
  scheduler.spawn(fail("oh"));
  REQUIRE(run(scheduler) == "oh");
  REQUIRE(log == Log{"cancelled at 0", "cancelled at 5000", "destroyed at 10000"});
}

TEST_CASE_METHOD(Stubborn, "a task that catches every cancellation and yields is destroyed",
                 "[step09]") {
  scheduler.spawn(yield_for_ever(&reactor));
  scheduler.spawn(fail("oh", 3));
  REQUIRE(run(scheduler) == "oh");
}

TEST_CASE_METHOD(Stubborn,
                 "a task that catches every cancellation and waits for nothing is destroyed",
                 "[step09]") {
  scheduler.spawn(never_end(&never));
  scheduler.spawn(never_end(&never));
  REQUIRE(run(scheduler) == "Deadlock detected: no active coroutines, 2 coroutines in waiting");
  REQUIRE(log == Log{"deadlock"});
  REQUIRE(reactor.now().time_since_epoch() == 0s);
}

TEST_CASE_METHOD(Stubborn, "a task that is spawned during a shutdown never runs", "[step09]") {
  scheduler.spawn(with_finally(until(&never), [](Log* out) -> Coroutine<> {
    spawn(say(out, "never"));
    co_await yield();
    out->push_back("cleaned up");
  }(&log)));
  scheduler.spawn(never_end_and_then(&never, at_end([&] { scheduler.spawn(say(&log, "never")); })));
  scheduler.spawn(fail("oh", 1));
  REQUIRE(run(scheduler) == "oh");
  REQUIRE(log == Log{"cleaned up"});
}

TEST_CASE_METHOD(Stubborn, "awaiting a task that was destroyed throws Cancelled", "[step09]") {
  const Handle<void> task = scheduler.spawn(never_end(&never));
  run(scheduler);
  REQUIRE(task->is_finished());
  log.clear();
  scheduler.run(join(&log, "it", task));
  REQUIRE(log == Log{"it: cancelled: destroyed"});
}

TEST_CASE_METHOD(Stubborn, "a destructor cannot wake a task that is being destroyed", "[step09]") {
  ManualEvent other;
  const Handle<void> first = scheduler.spawn(never_end(&other));
  scheduler.spawn(never_end_and_then(&never, at_end([&] {
    other.set();
    first->cancel();
    log.push_back(first->is_finished() ? "finished" : "living");
  })));
  run(scheduler);
  REQUIRE(log == Log{"deadlock", "finished"});
}

TEST_CASE_METHOD(Stubborn, "the tasks that are left are destroyed last spawned first", "[step09]") {
  for (const char* name : {"1", "2", "3"}) {
    scheduler.spawn(never_end_and_then(&never, at_end([this, name] { log.push_back(name); })));
  }
  run(scheduler);
  REQUIRE(log == Log{"deadlock", "3", "2", "1"});
}

TEST_CASE_METHOD(Stubborn, "microtasks that are left at a shutdown run before run returns",
                 "[step09]") {
  scheduler.spawn(until(&never))->on_switch([this](Task&, Switch what) {
    if (what == Switch::finish) scheduler.defer([this] { log.push_back("microtask"); });
    return true;
  });
  scheduler.spawn(fail("oh", 1));
  REQUIRE(run(scheduler) == "oh");
  REQUIRE(log == Log{"microtask"});
}

TEST_CASE_METHOD(Stubborn, "a third error in a shutdown is dropped", "[step09]") {
  for (int i = 0; i < 20000; ++i) scheduler.spawn(fail_when_cancelled(&never));
  scheduler.spawn(fail("first"));
  const std::exception_ptr error = error_of_run(scheduler);
  REQUIRE(text_of(error) == "clean-up");
  try {
    std::rethrow_exception(error);
  } catch (const std::nested_exception& second) {
    REQUIRE(text_of(second.nested_ptr()) == "first");
  }
}
