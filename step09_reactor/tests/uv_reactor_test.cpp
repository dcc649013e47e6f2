#include <chrono>
#include <vector>

#include "coop/uv/listener.hpp"
#include "coop/uv/poll.hpp"
#include "coop/uv/process.hpp"
#include "coop/uv/signal.hpp"
#include "coop/uv/trigger.hpp"
#include "coop/uv/watch.hpp"
#include "uv_world.hpp"

using namespace coop;
using namespace std::chrono_literals;

namespace {

struct Fired {
  Clock::time_point deadline, at;
};

Coroutine<> fire(std::vector<Fired>* out, Clock::duration after) {
  const Living living;
  Timer timer(Scheduler::current().reactor(), after);
  co_await wait(timer);
  out->push_back({timer.deadline(), Clock::now()});
}

/// A timer gets due while another task computes, then all wait, one of them for a connection.
Coroutine<> compute_with_listener(std::vector<Fired>* fired, Clock::duration time) {
  Listener listener(Address("127.0.0.1", 0));
  const Handle<void> accepting = spawn(until(&listener));
  const Handle<void> timer = spawn(fire(fired, 2ms));
  co_await suspend();
  compute(time);
  co_await timer;
  accepting->cancel();
}

Coroutine<> compute_first(std::vector<Fired>* fired) {
  compute(100ms);
  co_await fire(fired, 50ms);
}

Coroutine<> idle(double* seconds) {
  Listener listener(Address("127.0.0.1", 0));
  const Handle<void> accepting = spawn(until(&listener));
  co_await suspend();
  const double before = processor_seconds();
  co_await delay(300ms);
  *seconds = processor_seconds() - before;
  accepting->cancel();
}

Coroutine<> wait_beside_the_inactive(ManualEvent* never) {
  const Listener listener(Address("127.0.0.1", 0));
  const Trigger trigger;
  const Signal interrupt(SIGINT);
  co_await wait(*never);
}

Coroutine<> set_when_readable(ManualEvent* event, int descriptor) {
  co_await readable(descriptor);
  event->set();
}

Coroutine<> set_later(ManualEvent* event) {
  co_await delay(5ms);
  event->set();
}

Coroutine<> spin_until(ManualEvent* event) {
  while (!event->is_ready()) {
    co_await suspend();
  }
}

Coroutine<> describe_all(Log* out) {
  const Timer timer(Scheduler::current().reactor(), 1s);
  const Listener listener(Address("127.0.0.1", 0));
  const Poll reading(3, Poll::For::reading), writing(4, Poll::For::writing);
  const Process child({"true"});
  const Signal event(SIGINT);
  const Trigger trigger;
  const Watch watch("/");
  const std::vector<const Event*> all{&timer, &listener, &reading, &writing,
                                      &child, &event,    &trigger, &watch};
  for (const Event* const each : all) out->push_back(each->description());
  CHECK(out->at(4) == "the end of process " + std::to_string(child.pid()));
  co_return;
}

}  // namespace

TEST_CASE_METHOD(UvWorld, "a timer that is already due fires though a listener waits beside it",
                 "[step09]") {
  std::vector<Fired> fired;
  scheduler.run(compute_with_listener(&fired, 10ms));
  REQUIRE(fired.size() == 1);
}

TEST_CASE_METHOD(UvWorld, "a timer that becomes due fires though a listener waits beside it",
                 "[step09]") {
  std::vector<Fired> fired;
  scheduler.run(compute_with_listener(&fired, 0ms));
  REQUIRE(fired.size() == 1);
}

TEST_CASE_METHOD(UvWorld, "after long computing a timer is not early", "[step09]") {
  std::vector<Fired> fired;
  const Clock::time_point start = Clock::now();
  scheduler.run(compute_first(&fired));
  REQUIRE(fired.at(0).at - start >= 150ms);
}

TEST_CASE_METHOD(UvWorld, "the timers of libuv's reactor fire in their order and none is early",
                 "[step09]") {
  std::vector<Fired> fired;
  for (const int time : {9000, 1500, 3999, 0, 1, -3, 20001, 1500, 3998}) {
    scheduler.spawn(fire(&fired, std::chrono::microseconds(time)));
  }
  scheduler.run();
  REQUIRE(fired.size() == 9);
  for (std::size_t i = 0; i < fired.size(); ++i) {
    CHECK(fired[i].at >= fired[i].deadline);
    if (i > 0) CHECK(fired[i].deadline >= fired[i - 1].deadline);
  }
}

TEST_CASE_METHOD(UvWorld, "a timer for ever and one for soon are both kept by libuv's reactor",
                 "[step09]") {
  Timer never(reactor, Clock::duration::max()), soon(reactor, 1ms);
  scheduler.run(wait_for_any(&log, &never, &soon));
  REQUIRE(log == Log{"it was 1", "on"});
}

TEST_CASE_METHOD(UvWorld, "a timer may have been due since the beginning of time", "[step09]") {
  scheduler.run(report(&log, "it", delay(Clock::duration::min())));
  REQUIRE(log == Log{"it: done"});
}

TEST_CASE_METHOD(UvWorld, "a program that waits uses no processor time", "[step09]") {
  double seconds = 1;
  scheduler.run(idle(&seconds));
  REQUIRE(seconds < 0.1);
}

TEST_CASE_METHOD(UvWorld, "with libuv's reactor a wait for nothing is a deadlock", "[step09]") {
  ManualEvent never;
  scheduler.on_deadlock([](const std::string&) {});
  scheduler.spawn(until(&never));
  SECTION("alone") {}
  SECTION("though a listener, a trigger and a signal are there that nobody waits for") {
    scheduler.spawn(wait_beside_the_inactive(&never));
  }
  REQUIRE_THROWS_AS(scheduler.run(), Deadlock);
  REQUIRE_FALSE(reactor.active());
}

TEST_CASE_METHOD(UvWorld, "while one task waits for a descriptor there is no deadlock",
                 "[step09]") {
  ManualEvent event;
  Ends pipe(::pipe);
  scheduler.spawn(set_when_readable(&event, pipe.both[0]));
  scheduler.spawn(outcome(&log, "other", until(&event)));
  scheduler.spawn([](Ends* ends) -> Coroutine<> {
    co_await delay(1ms);
    ends->close(1);
  }(&pipe));
  scheduler.run();
  REQUIRE(log == Log{"other: done"});
}

TEST_CASE_METHOD(UvWorld, "libuv's reactor is asked while tasks are ready", "[step09]") {
  ManualEvent event;
  Ends pipe(::pipe);
  pipe.close(1);
  SECTION("for a descriptor") {
    scheduler.spawn(set_when_readable(&event, pipe.both[0]));
  }
  SECTION("for a timer") {
    scheduler.spawn(set_later(&event));
  }
  scheduler.spawn(spin_until(&event));
  scheduler.run();
  REQUIRE(event.is_ready());
}

TEST_CASE_METHOD(UvWorld, "a reactor serves one scheduler after the other", "[step09]") {
  scheduler.run(outcome(&log, "first", delay(1ms)));
  Scheduler second(reactor);
  second.run(outcome(&log, "second", delay(1ms)));
  REQUIRE(log == Log{"first: done", "second: done"});
}

TEST_CASE_METHOD(World, "an event of libuv needs a scheduler with libuv's reactor", "[step09]") {
  REQUIRE_THROWS_AS(UvReactor::current(), std::logic_error);
  scheduler.run(outcome(&log, "with another one", readable(0)));
  REQUIRE(log == Log{"with another one: The scheduler that runs here has no UvReactor"});
}

TEST_CASE("a reactor for which no descriptor is free is an error", "[step09]") {
  const NoDescriptorLeft nothing_left;
  std::exception_ptr error;
  {
    const NoMoreDescriptors none;
    try {
      const UvReactor reactor;
    } catch (...) {
      error = std::current_exception();
    }
  }
  REQUIRE(name_of(error) == "EMFILE");
}

TEST_CASE("an error of libuv says in one line what and why", "[step09]") {
  const UvError error(UV_ENOENT, "cannot open a.txt");
  REQUIRE(error.what() == std::string("cannot open a.txt: no such file or directory (ENOENT)"));
  REQUIRE(error.code() == UV_ENOENT);
  REQUIRE(check(7, "it is well") == 7);
  REQUIRE_THROWS_AS(check(UV_EIO, std::string("it is not")), UvError);
}

TEST_CASE_METHOD(UvWorld, "each event says what it is", "[step09]") {
  scheduler.run(describe_all(&log));
  log.at(4) = "a child";
  REQUIRE(log == Log{"a timer", "a connection", "descriptor 3 to read", "descriptor 4 to write",
                     "a child", "signal 2", "a trigger", "a change of /"});
}
