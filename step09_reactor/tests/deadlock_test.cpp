#include <iostream>
#include <iterator>
#include <list>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <vector>

#include "probe.hpp"

using namespace coop;

namespace {

constexpr int here = __LINE__;

Coroutine<> wait_here(Event* event) {
  co_await wait(*event);  // here + 3
}

Coroutine<> wait_here_for_any(Event* first, Event* second) {
  co_await wait_any(*first, *second);  // here + 7
}

Coroutine<> join_here(Handle<void> task) {
  co_await task;  // here + 11
}

std::string line(int n) {
  return "deadlock_test.cpp:" + std::to_string(here + n);
}

Coroutine<> ignore_cancellation(Event* event) {
  try {
    co_await wait(*event);
  } catch (const Cancelled&) {
    co_return;
  }
}

Coroutine<> ignore_cancellation_twice(Event* event) {
  co_await ignore_cancellation(event);
  co_await ignore_cancellation(event);
}

Coroutine<> join_itself() {
  co_await wait(current_task());
}

}  // namespace

class Deadlocks : public World {
 public:
  Deadlocks() {
    scheduler.on_deadlock([this](const std::string& report) {
      std::istringstream in(report);
      for (std::string each; std::getline(in, each);) log.push_back(each);
    });
  }

  static std::string text(int count) {
    return "Deadlock detected: no active coroutines, " + std::to_string(count) +
           " coroutines in waiting";
  }
};

TEST_CASE_METHOD(Deadlocks, "a deadlock names each task, where it comes from, waits, and for what",
                 "[step09]") {
  ManualEvent door("the door"), unnamed;
  const Handle<void> first = scheduler.spawn(wait_here(&door));
  const int spawned = __LINE__ - 1 - here;
  scheduler.spawn(wait_here_for_any(&door, &unnamed));
  scheduler.spawn(say(&log, "this one ends"));
  const std::exception_ptr error = error_of_run(scheduler);
  REQUIRE_THROWS_AS(std::rethrow_exception(error), Deadlock);
  REQUIRE(text_of(error) == text(2));
  REQUIRE(log ==
          Log{"this one ends", text(2),
              "  task 1, spawned at " + line(spawned) + ", waits at " + line(3) + " for the door",
              "  task 2, spawned at " + line(spawned + 2) + ", waits at " + line(7) +
                  " for the door or an event"});
}

TEST_CASE_METHOD(Deadlocks, "a deadlock names the place where a task is joined", "[step09]") {
  ManualEvent never;
  const Handle<void> first = scheduler.spawn(wait_here(&never));
  scheduler.spawn(join_here(first));
  REQUIRE(run(scheduler) == text(2));
  REQUIRE(log.back().find("waits at " + line(11) + " for task 1") != std::string::npos);
}

TEST_CASE_METHOD(World, "a task says where it comes from and where it waits", "[step09]") {
  ManualEvent event;
  const Handle<void> task = scheduler.spawn(wait_here(&event));
  const int spawned = __LINE__ - 1;
  REQUIRE(static_cast<int>(task->spawned_at().line()) == spawned);
  scheduler.spawn(set(&event));
  scheduler.run();
  REQUIRE(static_cast<int>(task->waits_at().line()) == here + 3);
}

TEST_CASE_METHOD(Deadlocks, "a task that waits for itself is a deadlock", "[step09]") {
  scheduler.spawn(join_itself());
  REQUIRE(run(scheduler) == text(1));
  REQUIRE(log.back().find("  task 1, spawned at ") == 0);
  REQUIRE(log.back().find(" for task 1") != std::string::npos);
}

TEST_CASE_METHOD(Deadlocks, "two tasks that wait for each other are a deadlock", "[step09]") {
  std::vector<Handle<void>> tasks;
  tasks.push_back(scheduler.spawn(
      [](std::vector<Handle<void>>* all) -> Coroutine<> { co_await wait(*(*all)[1]); }(&tasks)));
  tasks.push_back(scheduler.spawn(until(&*tasks[0])));
  REQUIRE(run(scheduler) == text(2));
  REQUIRE(log[1].find(" for task 2") != std::string::npos);
  REQUIRE(log[2].find(" for task 1") != std::string::npos);
}

TEST_CASE_METHOD(Deadlocks, "run() throws, though all tasks take the cancellation and end well",
                 "[step09]") {
  ManualEvent never;
  scheduler.spawn(ignore_cancellation(&never));
  REQUIRE_THROWS_AS(scheduler.run(), Deadlock);
  REQUIRE_NOTHROW(scheduler.run());
}

TEST_CASE_METHOD(Deadlocks, "each run() finds its own deadlock", "[step09]") {
  ManualEvent never;
  scheduler.spawn(ignore_cancellation_twice(&never));
  REQUIRE(run(scheduler) == text(1));
  log.clear();
  scheduler.spawn(until(&never));
  REQUIRE(run(scheduler) == text(1));
  REQUIRE(log.at(0) == text(1));
}

TEST_CASE_METHOD(Deadlocks, "a protected task is in a deadlock, too", "[step09]") {
  ManualEvent never("nothing");
  const Handle<void> task = scheduler.spawn(protect(wait_here(&never)));
  SECTION("alone") {
    REQUIRE(run(scheduler) == text(1));
  }
  SECTION("cancelled before") {
    scheduler.spawn(cancel(&*task));
    REQUIRE(run(scheduler) == text(1));
  }
  REQUIRE(log.size() == 2);
}

TEST_CASE_METHOD(Deadlocks, "who waits for a timer is no deadlock", "[step09]") {
  ManualEvent event;
  scheduler.spawn(wait_here(&event));
  scheduler.spawn([](ManualEvent* e) -> Coroutine<> {
    co_await delay(std::chrono::hours(24));
    e->set();
  }(&event));
  REQUIRE(run(scheduler) == "nothing");
}

TEST_CASE("a scheduler that is destroyed destroys the tasks that live", "[step09]") {
  const NothingLeft nothing_left;
  Log log;
  FakeReactor reactor;
  ManualEvent event;
  Probe probe(&log, "p");
  Timer timer(reactor, std::chrono::seconds(1));
  {
    Scheduler scheduler(reactor);
    scheduler.spawn(say(&log, "fresh"));
    SECTION("fresh") {}
    SECTION("waiting, ready, and in nested calls") {
      const Handle<void> task = scheduler.spawn(until(&event));
      scheduler.spawn(report(&log, "ready", say(&log, "never", 9)));
      scheduler.spawn(report(&log, "nested", report(&log, "inner", until(&probe))));
      scheduler.spawn(report(&log, "protected", protect(until(&event))));
      scheduler.spawn(wait_for_any(&log, &event, &timer));
      scheduler.spawn(join(&log, "join", task));
      scheduler.shuffle([&scheduler](std::size_t) -> std::size_t {
        if (scheduler.turns() == 9) throw std::logic_error("stop");
        return 0;
      });
      REQUIRE_THROWS_AS(scheduler.run(), std::logic_error);
      REQUIRE(probe.is_started());
      REQUIRE(reactor.active());
      log.clear();
    }
  }
  REQUIRE((log.empty() || log == Log{"stop p"}));
  REQUIRE_FALSE(reactor.active());
  event.set();
}

TEST_CASE("a task may wait for an event that another one keeps, when both are destroyed",
          "[step09]") {
  const NothingLeft nothing_left;
  Log log;
  FakeReactor reactor;
  Scheduler scheduler(reactor);
  scheduler.spawn([](Log* out) -> Coroutine<> {
    ManualEvent mine;
    spawn(report(out, "child", until(&mine)));
    spawn(say(out, "never", 9));
    co_await suspend();
    const auto stop = [](std::size_t) -> std::size_t { throw std::logic_error("stop"); };
    Scheduler::current().shuffle(stop);
    co_await wait(mine);
  }(&log));
  REQUIRE_THROWS_AS(scheduler.run(), std::logic_error);
}

TEST_CASE("a handle may outlive the scheduler", "[step09]") {
  const NothingLeft nothing_left;
  Log log;
  FakeReactor reactor;
  std::vector<Handle<void>> handles;
  {
    Scheduler scheduler(reactor);
    handles.push_back(scheduler.spawn(say(&log, "finished")));
    handles.push_back(scheduler.spawn(fail("oh")));
    scheduler.run();
    handles.push_back(scheduler.spawn(say(&log, "never")));
    handles[2]->cancel();  // which goes with the task
  }
  REQUIRE(handles[0]->is_finished());
  REQUIRE(handles[2]->is_finished());
  REQUIRE(handles[2]->id() == 3);
  handles[2]->cancel();
  Scheduler other(reactor);
  other.run(join(&log, "join", handles[1]));
  other.run(join(&log, "destroyed", handles[2]));
  REQUIRE(log == Log{"finished", "join: oh", "destroyed: cancelled: graceful shutdown"});
}

TEST_CASE("an error that was kept for a handle goes with it when the scheduler is gone",
          "[step09]") {
  const NothingLeft nothing_left;
  FakeReactor reactor;
  std::list<Handle<void>> handles;
  auto scheduler = std::make_unique<Scheduler>(reactor);  // AddressSanitizer sees best on the heap
  for (int i = 0; i < 3; ++i) handles.push_back(scheduler->spawn(fail("oh")));
  scheduler->run();
  int told = 0;
  scheduler->on_unhandled([&told](const std::exception_ptr&) { ++told; });
  handles.erase(std::next(handles.begin()));
  scheduler.reset();
  handles.clear();
  REQUIRE(told == 1);
}

TEST_CASE_METHOD(World, "the report of a deadlock goes to stderr if nobody is told", "[step09]") {
  ManualEvent never("nothing");
  std::ostringstream errors;
  std::streambuf* const before = std::cerr.rdbuf(errors.rdbuf());
  scheduler.spawn(wait_here(&never));
  const std::string thrown = run(scheduler);
  std::cerr.rdbuf(before);
  REQUIRE(thrown == Deadlocks::text(1));
  REQUIRE(errors.str().find(thrown + "\n  task 1, spawned at ") == 0);
}
