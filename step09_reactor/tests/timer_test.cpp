#include <chrono>
#include <memory>
#include <vector>

#include "probe.hpp"

using namespace coop;
using namespace std::chrono_literals;

namespace {

Coroutine<> say_at(Log* out, FakeReactor* reactor, std::string name, Clock::duration time) {
  const Living living;
  co_await delay(time);
  const auto now =
      std::chrono::duration_cast<std::chrono::milliseconds>(reactor->now().time_since_epoch());
  out->push_back(name + " at " + std::to_string(now.count()));
}

/// Looks so often how many turns it has to wait until the time has passed.
Coroutine<> spin(bool* done, FakeReactor* reactor, Clock::duration each) {
  while (!*done) {
    reactor->pass(each);
    co_await suspend();
  }
}

Coroutine<> finish_after(bool* done, Clock::duration time) {
  co_await delay(time);
  *done = true;
}

/// Counts how often the scheduler asks it while tasks are ready.
class CountingReactor final : public FakeReactor {
 public:
  void tick(bool block) override {
    if (!block) ++asked;
    FakeReactor::tick(block);
  }

  int asked = 0;
};

Coroutine<> pass_turns(FakeReactor* reactor, int turns, Clock::duration each) {
  for (int i = 0; i < turns; ++i) {
    reactor->pass(each);
    co_await suspend();
  }
}

Coroutine<> defer_each_turn(int turns) {
  for (int i = 0; i < turns; ++i) {
    Scheduler::current().defer([] {});
    co_await suspend();
  }
}

Coroutine<> delay_and_pass_turns(FakeReactor* reactor, int turns, Clock::duration each) {
  co_await delay(1s);
  co_await pass_turns(reactor, turns, each);
}

}  // namespace

TEST_CASE_METHOD(World, "timers end in the order of their deadlines", "[step09]") {
  int number = 0;
  for (const auto time : {30ms, 10ms, 20ms, 0ms}) {
    scheduler.spawn(say_at(&log, &reactor, std::to_string(++number), time));
  }
  scheduler.run();
  REQUIRE(log == Log{"4 at 0", "2 at 10", "3 at 20", "1 at 30"});
}

TEST_CASE_METHOD(World, "timers with one deadline end in the order in which they began",
                 "[step09]") {
  Log expected;
  for (int i = 0; i < 20; ++i) {
    scheduler.spawn(say_at(&log, &reactor, std::to_string(i), 5ms));
    expected.push_back(std::to_string(i) + " at 5");
  }
  scheduler.run();
  REQUIRE(log == expected);
}

TEST_CASE_METHOD(World, "a timer that lost is stopped", "[step09]") {
  Timer timer(reactor, 100ms);
  Probe probe(&log, "p");
  scheduler.spawn(wait_for_any(&log, &timer, &probe));
  scheduler.spawn(wake(&probe));
  scheduler.run();
  REQUIRE(log == Log{"start p", "stop p", "it was 1", "on"});
  REQUIRE_FALSE(reactor.active());
  REQUIRE(reactor.now() == Clock::time_point());
}

TEST_CASE_METHOD(World, "a timer that was cancelled is stopped, the others with its deadline not",
                 "[step09]") {
  std::vector<Handle<void>> tasks;
  for (const char* name : {"1", "2", "3"}) {
    tasks.push_back(scheduler.spawn(say_at(&log, &reactor, name, 5ms)));
  }
  scheduler.spawn(cancel(&*tasks[1]));
  scheduler.run();
  REQUIRE(log == Log{"1 at 5", "3 at 5"});
}

TEST_CASE_METHOD(World, "of two timers the shorter one wins, of two equal ones the first",
                 "[step09]") {
  Timer one(reactor, 10ms), two(reactor, 20ms), other(reactor, 10ms);
  scheduler.run(wait_for_any(&log, &two, &one));
  scheduler.run(wait_for_any(&log, &one, &other));
  REQUIRE(log == Log{"it was 1", "on", "it was 0", "on"});
  REQUIRE_FALSE(reactor.active());
}

TEST_CASE_METHOD(World, "a timer can be used again, and counts anew", "[step09]") {
  Timer timer(reactor, 10ms);
  scheduler.run(until(&timer));
  REQUIRE(reactor.now().time_since_epoch() == 10ms);
  REQUIRE_FALSE(timer.is_ready());
  scheduler.run(until(&timer));
  REQUIRE(reactor.now().time_since_epoch() == 20ms);
}

TEST_CASE_METHOD(World, "a timer is for one wait at a time", "[step09]") {
  Timer timer(reactor, 1ms);
  scheduler.spawn(report(&log, "1", until(&timer)));
  scheduler.spawn(report(&log, "2", until(&timer)));
  scheduler.run();
  scheduler.run(report(&log, "3", until(&timer)));
  REQUIRE(log == Log{"2: This timer is being waited for already", "1: done", "3: done"});
}

TEST_CASE_METHOD(World, "a delay of nothing, or of less, lets the others go first", "[step09]") {
  scheduler.spawn(say_at(&log, &reactor, "zero", 0ms));
  scheduler.spawn(say_at(&log, &reactor, "less", -5ms));
  scheduler.spawn(say(&log, "other"));
  scheduler.run();
  REQUIRE(log == Log{"other", "less at 0", "zero at 0"});
}

TEST_CASE_METHOD(World, "a timer for ever does not overflow the clock", "[step09]") {
  reactor.pass(1h);
  Timer never(reactor, Clock::duration::max()), soon(reactor, 1ms);
  scheduler.run(wait_for_any(&log, &never, &soon));
  REQUIRE(log == Log{"it was 1", "on"});
}

TEST_CASE_METHOD(World, "the reactor is asked while tasks are ready, too", "[step09]") {
  bool done = false;
  scheduler.spawn(spin(&done, &reactor, 1ms));
  scheduler.spawn(finish_after(&done, 5ms));
  scheduler.run();
  REQUIRE(done);
  REQUIRE(scheduler.turns() <= 61 + 61 + 5);
}

TEST_CASE("the reactor is not asked before the interval has passed", "[step09]") {
  const NothingLeft nothing_left;
  FakeReactor reactor;
  Scheduler scheduler(reactor, 1000ms);
  bool done = false;
  scheduler.spawn(spin(&done, &reactor, 1ms));
  scheduler.spawn(finish_after(&done, 5ms));
  scheduler.run();
  REQUIRE(reactor.now().time_since_epoch() >= 1000ms);
  REQUIRE(reactor.now().time_since_epoch() <= 1061ms);
}

TEST_CASE("while tasks are ready, the reactor is asked every 61 turns", "[step09]") {
  const NothingLeft nothing_left;
  CountingReactor reactor;
  Scheduler scheduler(reactor, 0ms);
  scheduler.spawn(delay(1h));
  SECTION("nothing else") {
    scheduler.spawn(pass_turns(&reactor, 610, 0ms));
  }
  SECTION("microtasks run in between") {
    scheduler.spawn(defer_each_turn(610));
  }
  scheduler.run();
  REQUIRE(reactor.asked == 10);
}

TEST_CASE("a reactor that is not active is not asked while tasks are ready", "[step09]") {
  const NothingLeft nothing_left;
  CountingReactor reactor;
  Scheduler scheduler(reactor, 0ms);
  scheduler.run(pass_turns(&reactor, 610, 0ms));
  REQUIRE(reactor.asked == 0);
}

TEST_CASE("the interval counts from when the reactor was asked last", "[step09]") {
  const NothingLeft nothing_left;
  CountingReactor reactor;
  Scheduler scheduler(reactor, 100ms);
  scheduler.spawn(delay(1h));
  SECTION("while tasks were ready: at every second look") {
    scheduler.spawn(pass_turns(&reactor, 610, 1ms));
    scheduler.run();
    REQUIRE(reactor.asked == 5);
  }
  SECTION("when it waited: not at the first look behind that") {
    scheduler.spawn(delay_and_pass_turns(&reactor, 100, 1ms));
    scheduler.run();
    REQUIRE(reactor.asked == 0);
  }
}

TEST_CASE("a reactor without timers does not wait", "[step09]") {
  FakeReactor reactor;
  reactor.pass(1h);
  reactor.tick(true);
  REQUIRE(reactor.now().time_since_epoch() == 1h);
}

TEST_CASE("a reactor of timers sleeps until the first one is due", "[step09]") {
  class Counting final : public TimerReactor {
   public:
    void tick(bool block) override {
      ++ticks;
      TimerReactor::tick(block);
    }
    int ticks = 0;
  } reactor;
  Scheduler scheduler(reactor);
  scheduler.run(delay(20ms));
  REQUIRE(reactor.ticks == 1);
}
