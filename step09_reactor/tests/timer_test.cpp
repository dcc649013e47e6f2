#include <unistd.h>

#include <chrono>
#include <cmath>
#include <memory>
#include <vector>

#include "probe.hpp"

using namespace coop;
using namespace std::chrono_literals;

namespace {

Coroutine<> say_at(Log* out, FakeReactor* reactor, std::string name, Clock::duration time) {
  const Living living;
  co_await sleep(time);
  const auto now =
      std::chrono::duration_cast<std::chrono::milliseconds>(reactor->now().time_since_epoch());
  out->push_back(name + " at " + std::to_string(now.count()));
}

/// Looks so often how many turns it has to wait until the time has passed.
Coroutine<> spin(bool* done, FakeReactor* reactor, Clock::duration each) {
  while (!*done) {
    reactor->pass(each);
    co_await yield();
  }
}

Coroutine<> finish_after(bool* done, Clock::duration time) {
  co_await sleep(time);
  *done = true;
}

/// Counts how often the scheduler polls it, and how often it waits.
class CountingReactor final : public FakeReactor {
 public:
  void tick(Clock::time_point until) override {
    ++(until <= now() ? polls : waits);
    log.push_back("tick");
    FakeReactor::tick(until);
  }

  int polls = 0;
  int waits = 0;
  Log log;
};

Coroutine<> pass_turns(FakeReactor* reactor, int turns, Clock::duration each) {
  for (int i = 0; i < turns; ++i) {
    reactor->pass(each);
    co_await yield();
  }
}

Coroutine<> defer_each_turn(int turns) {
  for (int i = 0; i < turns; ++i) {
    Scheduler::current().defer([] {});
    co_await yield();
  }
}

}  // namespace

TEST_CASE_METHOD(World, "timers fire in the order of their deadlines", "[step09]") {
  int number = 0;
  for (const auto time : {30ms, 10ms, 20ms, 0ms}) {
    scheduler.spawn(say_at(&log, &reactor, std::to_string(++number), time));
  }
  SECTION("each in a tick of its own") {
    scheduler.run();
    REQUIRE(log == Log{"4 at 0", "2 at 10", "3 at 20", "1 at 30"});
  }
  SECTION("in one tick") {
    scheduler.spawn(pass_turns(&reactor, 1, 50ms));
    scheduler.run();
    REQUIRE(log == Log{"4 at 50", "2 at 50", "3 at 50", "1 at 50"});
  }
}

TEST_CASE_METHOD(World, "timers with the same deadline fire in the order of their start",
                 "[step09]") {
  Log expected;
  for (int i = 0; i < 20; ++i) {
    scheduler.spawn(say_at(&log, &reactor, std::to_string(i), 5ms));
    expected.push_back(std::to_string(i) + " at 5");
  }
  scheduler.run();
  REQUIRE(log == expected);
}

TEST_CASE_METHOD(World, "a timer can be used again", "[step09]") {
  Timer timer(reactor, 10ms);
  scheduler.run(until(&timer));
  REQUIRE(reactor.now().time_since_epoch() == 10ms);
  REQUIRE_FALSE(timer.is_ready());
  scheduler.run(until(&timer));
  REQUIRE(reactor.now().time_since_epoch() == 20ms);
}

TEST_CASE_METHOD(World, "the longest timer does not overflow the clock", "[step09]") {
  reactor.pass(1h);
  Timer never(reactor, Clock::duration::max()), soon(reactor, 1ms);
  scheduler.run(wait_for_any(&log, &never, &soon));
  REQUIRE(log == Log{"it was 1", "on"});
}

TEST_CASE("a time that the clock cannot count does not end before others", "[step09]") {
  const NothingLeft nothing_left;
  FakeReactor reactor;
  Scheduler scheduler(reactor, std::chrono::hours::max());
  scheduler.run([](FakeReactor* clock) -> Coroutine<> {
    const auto half_a_second = std::chrono::duration<float>(0.5F);
    const std::size_t first =
        co_await any_of(sleep(std::chrono::hours::max()),
                        with_timeout(std::chrono::seconds::max(), sleep(1h)), sleep(half_a_second));
    CHECK(first == 2);
    CHECK(clock->now().time_since_epoch() == 500ms);
    co_await sleep(std::chrono::hours::min());
    co_await sleep(std::chrono::duration<double>(NAN));
    CHECK(clock->now().time_since_epoch() == 500ms);
  }(&reactor));
}

TEST_CASE_METHOD(World, "the reactor is polled while tasks are ready", "[step09]") {
  bool done = false;
  scheduler.spawn(spin(&done, &reactor, 1ms));
  scheduler.spawn(finish_after(&done, 5ms));
  scheduler.run();
  REQUIRE(done);
  REQUIRE(scheduler.turns() <= 61 + 61 + 5);
}

TEST_CASE("the reactor is not polled before the interval has passed", "[step09]") {
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

TEST_CASE("the reactor is polled every 61 turns while tasks are ready", "[step09]") {
  const NothingLeft nothing_left;
  CountingReactor reactor;
  Scheduler scheduler(reactor, 0ms);
  scheduler.spawn(sleep(1h));
  SECTION("nothing else") {
    scheduler.spawn(pass_turns(&reactor, 61 * 60, 0ms));
  }
  SECTION("microtasks run in between") {
    scheduler.spawn(defer_each_turn(61 * 60));
  }
  scheduler.run();
  REQUIRE(reactor.polls == 60);
}

TEST_CASE_METHOD(World, "a sleep of zero is a yield", "[step09]") {
  scheduler.spawn(report(&log, "sleeps", sleep(0ms)));
  scheduler.spawn(pass_turns(&reactor, 100, 0ms));
  scheduler.spawn(say(&log, "two turns", 2));
  scheduler.run();
  REQUIRE(log == Log{"sleeps: done", "two turns"});
}

template <typename T>
concept CanSleep = requires(T time) { sleep(time); };
static_assert(CanSleep<std::chrono::seconds> && !CanSleep<int>);  // that would stop all tasks

TEST_CASE("the interval is 2 ms by default", "[step09]") {
  const NothingLeft nothing_left;
  CountingReactor reactor;
  Scheduler scheduler(reactor);
  scheduler.spawn(sleep(1h));
  SECTION("61 turns take 1.9 ms") {
    scheduler.spawn(pass_turns(&reactor, 610, 31us));
    scheduler.run();
    REQUIRE(reactor.polls == 5);
  }
  SECTION("61 turns take 2.07 ms") {
    scheduler.spawn(pass_turns(&reactor, 610, 34us));
    scheduler.run();
    REQUIRE(reactor.polls == 10);
  }
}

TEST_CASE("the reactor does not wait while a task is ready", "[step09]") {
  CountingReactor reactor;
  Scheduler scheduler(reactor, 0ms);
  scheduler.spawn(sleep(1h));
  scheduler.spawn(pass_turns(&reactor, 610, 0ms));
  scheduler.run();
  REQUIRE(reactor.waits == 1);
  REQUIRE(reactor.polls == 10);
}

TEST_CASE("timers that are due at the same time fire in one tick", "[step09]") {
  CountingReactor reactor;
  Scheduler scheduler(reactor);
  for (int i = 0; i < 3; ++i) scheduler.spawn(sleep(1ms));
  scheduler.run();
  REQUIRE(reactor.waits == 1);
  REQUIRE(reactor.polls == 0);
}

TEST_CASE("microtasks run before the reactor is polled", "[step09]") {
  CountingReactor reactor;
  Scheduler scheduler(reactor, 0ms);
  const auto defer = [&] { scheduler.defer([&] { reactor.log.push_back("microtask"); }); };
  SECTION("if no task is ready") {
    scheduler.spawn(report(&reactor.log, "task", sleep(1ms)))->on_switch([&](Task&, Switch) {
      defer();
      return false;
    });
    scheduler.run();
    REQUIRE(reactor.log == Log{"microtask", "tick", "task: done"});
  }
  SECTION("if a task is ready") {
    const auto defer_each_turn = [](Log* out, auto function) -> Coroutine<> {
      for (int i = 0; i < 130; ++i) {
        out->push_back("task");
        function();
        co_await yield();
      }
    };
    scheduler.spawn(sleep(1h));
    scheduler.spawn(defer_each_turn(&reactor.log, defer));
    scheduler.run();
    const auto tick = std::find(reactor.log.begin(), reactor.log.end(), "tick");
    REQUIRE(*(tick - 1) == "microtask");
    REQUIRE(*(tick + 1) == "task");
  }
}
