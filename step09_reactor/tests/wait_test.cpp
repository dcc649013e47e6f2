#include <chrono>
#include <memory>

#include "probe.hpp"

using namespace coop;
using namespace std::chrono_literals;

namespace {

/// Suspends, then waits for the timer, and says when that was over.
Coroutine<> wait_later(Log* out, FakeReactor* reactor, std::string name, Timer* timer) {
  co_await wait(*timer);
  const auto now =
      std::chrono::duration_cast<std::chrono::milliseconds>(reactor->now().time_since_epoch());
  out->push_back(name + " at " + std::to_string(now.count()));
}

Coroutine<> prepare_compute_and_wait(Log* out, FakeReactor* reactor) {
  Timer timer(*reactor, 30ms);
  reactor->pass(100ms);
  co_await suspend();
  co_await wait_later(out, reactor, "timer", &timer);
}

Coroutine<> wait_for_ready(Event* event, std::uint64_t* turns) {
  const Scheduler& scheduler = Scheduler::current();
  *turns = scheduler.turns();
  for (int i = 0; i < 100; ++i) {
    co_await wait(*event);
  }
  *turns = scheduler.turns() - *turns;
}

}  // namespace

TEST_CASE_METHOD(World, "an event is started when the task suspends, and stopped when it is woken",
                 "[step09]") {
  Probe probe(&log, "p");
  scheduler.spawn(report(&log, "task", until(&probe)));
  scheduler.spawn(wake(&probe));
  REQUIRE(log.empty());
  scheduler.run();
  REQUIRE(log == Log{"start p", "stop p", "task: done"});
}

TEST_CASE_METHOD(World, "a timer counts from the start of the wait, not from when it was made",
                 "[step09]") {
  scheduler.run(prepare_compute_and_wait(&log, &reactor));
  REQUIRE(log == Log{"timer at 130"});
}

TEST_CASE_METHOD(World, "waiting for what has happened costs no turn and no switch", "[step09]") {
  ManualEvent event;
  event.set();
  std::uint64_t turns = 1000;
  int switches = 0;
  const Handle<void> task = scheduler.spawn(wait_for_ready(&event, &turns));
  task->on_switch([&](Task&, Switch) {
    ++switches;
    return Keep::yes;
  });
  scheduler.run();
  REQUIRE(turns == 0);
  REQUIRE(switches == 1);  // the end
}

TEST_CASE_METHOD(World, "what has happened is not even started", "[step09]") {
  Probe first(&log, "a"), second(&log, "b");
  second.ready = true;
  scheduler.run(wait_for_any(&log, &first, &second));
  REQUIRE(log == Log{"it was 1", "on"});
}

TEST_CASE_METHOD(World, "of two that have happened the first one counts", "[step09]") {
  Probe first(&log, "a"), second(&log, "b");
  first.ready = second.ready = true;
  scheduler.run(wait_for_any(&log, &first, &second));
  REQUIRE(log == Log{"it was 0", "on"});
}

TEST_CASE_METHOD(World, "the first event that happens ends the wait, and the loser is stopped",
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

TEST_CASE_METHOD(World, "an event that happens while it is started ends the wait at once",
                 "[step09]") {
  Probe first(&log, "a", Probe::Start::wakes), second(&log, "b");
  int switches = 0;
  const auto count = [&](Task&, Switch) {
    ++switches;
    return Keep::yes;
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
  REQUIRE(switches == 3);  // those of the suspend() behind it, and the end
  REQUIRE(scheduler.turns() == 2);
}

TEST_CASE_METHOD(World, "an event that fails while it is started throws at once", "[step09]") {
  Probe first(&log, "a"), second(&log, "b", Probe::Start::fails);
  scheduler.run(wait_for_any(&log, &first, &second));
  REQUIRE(log == Log{"start a", "start b", "stop a", "stop b", "b failed", "on"});
}

TEST_CASE_METHOD(World, "if an event cannot be started, the others are stopped, and it throws",
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

TEST_CASE_METHOD(World, "the same event twice is started and stopped twice, or refused",
                 "[step09]") {
  Probe probe(&log, "p");
  scheduler.spawn(wait_for_any(&log, &probe, &probe));
  scheduler.spawn(wake(&probe));
  scheduler.run();
  REQUIRE(log.size() == 6);
  REQUIRE(log[0] + log[1] == "start pstart p");
  REQUIRE(log[4] + log[5] == "it was 0on");

  log.clear();
  ManualEvent event;
  scheduler.spawn(wait_for_any(&log, &event, &event));
  scheduler.spawn(set(&event));
  scheduler.run();
  REQUIRE(log == Log{"it was 0", "on"});

  log.clear();
  Timer timer(reactor, 1ms);
  scheduler.run(wait_for_any(&log, &timer, &timer));
  REQUIRE(log == Log{"This timer is being waited for already", "on"});
  REQUIRE_FALSE(reactor.active());
}

TEST_CASE_METHOD(World, "a cancellation while events are started ends the wait", "[step09]") {
  class Cancelling final : public Event {
   public:
    bool is_ready() const override { return false; }
    void start(Task& waiter) override { waiter.cancel("by an event"); }
    void stop(Task&) noexcept override { ++stopped; }
    std::string description() const override { return "itself"; }
    int stopped = 0;
  } event;
  Probe other(&log, "p");
  scheduler.run(wait_for_any(&log, &event, &other));
  REQUIRE(log.back() == "on");
  REQUIRE(log[log.size() - 2] == "cancelled: by an event");
  REQUIRE(event.stopped == 1);
  REQUIRE_FALSE(other.is_started());
}
