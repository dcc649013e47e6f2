#include <chrono>
#include <memory>

#include "probe.hpp"

using namespace coop;
using namespace std::chrono_literals;

namespace {

/// Suspends, then waits for the timer, and says when that was over.
Coroutine<> wait_later(Log* out, FakeReactor* reactor, std::string name, Timer* timer) {
  co_await *timer;
  const auto now =
      std::chrono::duration_cast<std::chrono::milliseconds>(reactor->now().time_since_epoch());
  out->push_back(name + " at " + std::to_string(now.count()));
}

Coroutine<> prepare_compute_and_wait(Log* out, FakeReactor* reactor) {
  Timer timer(*reactor, 30ms);
  reactor->pass(100ms);
  co_await yield();
  co_await wait_later(out, reactor, "timer", &timer);
}

Coroutine<> wait_for_ready(Event* event, std::uint64_t* turns) {
  const Scheduler& scheduler = Scheduler::current();
  *turns = scheduler.turns();
  for (int i = 0; i < 100; ++i) {
    co_await *event;
  }
  *turns = scheduler.turns() - *turns;
}

}  // namespace

TEST_CASE_METHOD(World,
                 "the events of a wait are stopped when the task is woken and not when it runs",
                 "[step09]") {
  Probe first(&log, "a"), second(&log, "b");
  scheduler.spawn(wait_for_any(&log, &first, &second));
  const auto waker = [](Log* out, Probe* probe) -> Coroutine<> {
    probe->wake();
    out->push_back("wake returns");
    co_return;
  };
  scheduler.spawn(waker(&log, &first));
  scheduler.spawn(say(&log, "other"));
  scheduler.run();
  REQUIRE(log ==
          Log{"start a", "start b", "stop a", "stop b", "wake returns", "other", "it was 0", "on"});
}

TEST_CASE_METHOD(World, "an event is not stopped while another task waits for it", "[step09]") {
  Probe first(&log, "a"), second(&log, "b");
  scheduler.spawn(wait_for_any(&log, &first, &second));
  scheduler.spawn(until(&second));
  scheduler.spawn(wake(&first));
  scheduler.spawn(say(&log, "other"));
  scheduler.spawn(wake(&second));
  scheduler.run();
  REQUIRE(log == Log{"start a", "start b", "stop a", "other", "stop b", "it was 0", "on"});
}

TEST_CASE_METHOD(World, "a timer counts from the start of the wait", "[step09]") {
  scheduler.run(prepare_compute_and_wait(&log, &reactor));
  REQUIRE(log == Log{"timer at 130"});
}

TEST_CASE_METHOD(World, "no event starts before the task waits", "[step09]") {
  const auto prepare = [](Log* out) -> Coroutine<> {
    Probe first(out, "a"), second(out, "b");
    any_of either(first, second);
    out->push_back("prepared");
    co_await yield();
    spawn(wake(&second));
    co_await either;
  };
  scheduler.run(prepare(&log));
  REQUIRE(log == Log{"prepared", "start a", "start b", "stop a", "stop b"});
}

TEST_CASE_METHOD(World, "a wait for an event that has happened takes no turn and no switch",
                 "[step09]") {
  ManualEvent event;
  event.set();
  std::uint64_t turns = 1000;
  int switches = 0;
  const Handle<void> task = scheduler.spawn(wait_for_ready(&event, &turns));
  task->on_switch([&](Task&, Switch) {
    ++switches;
    return true;
  });
  scheduler.run();
  REQUIRE(turns == 0);
  REQUIRE(switches == 1);  // the end
}

TEST_CASE_METHOD(World, "any_of returns the index of the first event and stops the others",
                 "[step09]") {
  Probe first(&log, "a"), second(&log, "b");
  const Handle<void> task = scheduler.spawn(wait_for_any(&log, &first, &second));
  SECTION("the first") {
    scheduler.spawn(wake(&first));
    scheduler.run();
    REQUIRE(log == Log{"start a", "start b", "stop a", "stop b", "it was 0", "on"});
  }
  SECTION("the second") {
    scheduler.spawn(wake(&second));
    scheduler.run();
    REQUIRE(log == Log{"start a", "start b", "stop a", "stop b", "it was 1", "on"});
  }
  SECTION("the second, with an error") {
    scheduler.spawn(wake(&second, failure("oh")));
    scheduler.run();
    REQUIRE(log == Log{"start a", "start b", "stop a", "stop b", "oh", "on"});
  }
}

TEST_CASE_METHOD(World, "any_of returns the index of the first of two events that have happened",
                 "[step09]") {
  Probe first(&log, "a"), second(&log, "b");
  first.ready = second.ready = true;
  scheduler.run(wait_for_any(&log, &first, &second));
  REQUIRE(log == Log{"it was 0", "on"});
}

TEST_CASE_METHOD(World, "an event that happens during its start ends the wait at once",
                 "[step09]") {
  Probe first(&log, "a", Probe::Start::wakes), second(&log, "b");
  int switches = 0;
  const auto count = [&](Task&, Switch) {
    ++switches;
    return true;
  };
  SECTION("the first, and the second is not started") {
    scheduler.spawn(wait_for_any(&log, &first, &second))->on_switch(count);
    scheduler.run();
    REQUIRE(log == Log{"start a", "stop a", "it was 0", "on"});
  }
  SECTION("the second, and the first is stopped") {
    scheduler.spawn(wait_for_any(&log, &second, &first))->on_switch(count);
    scheduler.run();
    REQUIRE(log == Log{"start b", "start a", "stop b", "stop a", "it was 1", "on"});
  }
  REQUIRE(switches == 3);  // those of the yield() behind it, and the end
  REQUIRE(scheduler.turns() == 2);
}

TEST_CASE_METHOD(World, "an event that fails during its start throws at once", "[step09]") {
  Probe first(&log, "a"), second(&log, "b", Probe::Start::fails);
  scheduler.run(wait_for_any(&log, &first, &second));
  REQUIRE(log == Log{"start a", "start b", "stop a", "stop b", "b failed", "on"});
}

TEST_CASE_METHOD(World,
                 "if an event cannot be started the others are stopped and its error is thrown",
                 "[step09]") {
  Probe good(&log, "good"), bad(&log, "bad", Probe::Start::throws);
  SECTION("the second") {
    scheduler.run(wait_for_any(&log, &good, &bad));
    REQUIRE(log == Log{"start good", "start bad", "stop good", "bad cannot start", "on"});
  }
  SECTION("the first") {
    scheduler.run(wait_for_any(&log, &bad, &good));
    REQUIRE(log == Log{"start bad", "bad cannot start", "on"});
  }
  SECTION("both are the same") {
    scheduler.run(wait_for_any(&log, &bad, &bad));
    REQUIRE(log == Log{"start bad", "bad cannot start", "on"});
  }
}

TEST_CASE_METHOD(World, "a cancellation while events are started ends the wait", "[step09]") {
  class Cancelling final : public Event {
   public:
    void start() override { this_task().cancel("by an event"); }
    void stop() noexcept override { ++stopped; }
    std::string description() const override { return "itself"; }
    int stopped = 0;
  } event;
  Probe other(&log, "p");
  scheduler.run(wait_for_any(&log, &event, &other));
  REQUIRE(log.back() == "on");
  REQUIRE(log[log.size() - 2] == "cancelled: by an event");
  REQUIRE(event.stopped == 1);
  REQUIRE_FALSE(other.is_awaited());
}
