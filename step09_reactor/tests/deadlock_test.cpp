#include <algorithm>
#include <iostream>
#include <iterator>
#include <list>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <vector>

#include "coop/all_of.hpp"
#include "coop/channel.hpp"
#include "coop/for_each.hpp"
#include "probe.hpp"

using namespace coop;

namespace {

constexpr int here = __LINE__;

Coroutine<> wait_here(Event* event) {
  co_await *event;  // here + 3
}

Coroutine<> wait_here_for_any(Event* first, Event* second) {
  co_await any_of(*first, *second);  // here + 7
}

std::string line(int n) {
  return "deadlock_test.cpp:" + std::to_string(here + n);
}

// Each of these waits in a function of the library.

constexpr int first_call = __LINE__;

Coroutine<> call_for_each(Event* event) {
  const auto item = [event](int) { return until(event); };
  co_await for_each(std::vector<int>(1), item, 1);  // first_call + 4
}

Coroutine<> call_receive(Channel<int>* channel) {
  co_await channel->receive();  // first_call + 8
}

Coroutine<> call_join(Event* event) {
  Scope scope;
  scope.spawn(until(event));
  co_await scope.join();  // first_call + 14
}

Coroutine<> call_with_scope(Event* event) {
  const auto body = [event](Scope*) { return until(event); };
  co_await with_scope(body);  // first_call + 19
}

std::vector<Coroutine<>> two_bodies(Event* event) {
  std::vector<Coroutine<>> bodies;
  for (int i = 0; i < 2; ++i) bodies.push_back(until(event));
  return bodies;
}

Coroutine<> call_all_of(Event* event) {
  co_await all_of(until(event), until(event));  // first_call + 29
}

Coroutine<> call_any_of(Event* event) {
  co_await any_of(until(event), *event, until(event));  // first_call + 33
}

Coroutine<> call_all_of_vector(Event* event) {
  co_await all_of(two_bodies(event));  // first_call + 37
}

Coroutine<> call_any_of_vector(Event* event) {
  co_await any_of(two_bodies(event));  // first_call + 41
}

Coroutine<> call_send_twice(Channel<int>* channel) {
  co_await channel->send(1);
  co_await channel->send(2);
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

  void check_reported(const std::string& place, int times) const {
    INFO(place);
    CHECK(std::count_if(log.begin(), log.end(), [&](const std::string& each) {
            return each.find(place) != std::string::npos;
          }) == times);
  }
};

TEST_CASE_METHOD(Deadlocks,
                 "a deadlock names for each task where it was spawned and where it waits",
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

TEST_CASE_METHOD(Deadlocks, "a deadlock names the line of the program for waits of the library",
                 "[step09]") {
  ManualEvent never;
  Channel<int> channel(1);
  scheduler.spawn(call_for_each(&never));
  scheduler.spawn(call_receive(&channel));
  scheduler.spawn(call_join(&never));
  scheduler.spawn(call_with_scope(&never));
  run(scheduler);
  for (const int n : {4, 8, 14, 19}) check_reported("waits at " + line(first_call - here + n), 1);
}

TEST_CASE_METHOD(Deadlocks, "a deadlock names the line of all_of and any_of", "[step09]") {
  ManualEvent never;
  scheduler.spawn(call_all_of(&never));
  scheduler.spawn(call_any_of(&never));
  scheduler.spawn(call_all_of_vector(&never));
  scheduler.spawn(call_any_of_vector(&never));
  run(scheduler);
  for (const int n : {29, 33, 37, 41}) {
    check_reported("waits at " + line(first_call - here + n), 1);
    check_reported("spawned at " + line(first_call - here + n), 2);
  }
}

TEST_CASE_METHOD(Deadlocks, "a deadlock names an empty and a full channel", "[step09]") {
  Channel<int> empty(1), full(1);
  scheduler.spawn(call_receive(&empty));
  scheduler.spawn(call_send_twice(&full));
  REQUIRE(run(scheduler) == text(2));
  REQUIRE(log[1].find(" for a value of a channel") != std::string::npos);
  REQUIRE(log[2].find(" for room in a channel") != std::string::npos);
}

TEST_CASE_METHOD(Deadlocks, "two tasks that wait for each other are a deadlock", "[step09]") {
  std::vector<Handle<void>> tasks;
  const auto wait_for_second = [](std::vector<Handle<void>>* all) -> Coroutine<> {
    co_await *(*all)[1];
  };
  tasks.push_back(scheduler.spawn(wait_for_second(&tasks)));
  tasks.push_back(scheduler.spawn(until(&*tasks[0])));
  REQUIRE(run(scheduler) == text(2));
  REQUIRE(log[1].find(" for task 2") != std::string::npos);
  REQUIRE(log[2].find(" for task 1") != std::string::npos);
}

TEST_CASE_METHOD(Deadlocks, "a protected task can be in a deadlock", "[step09]") {
  ManualEvent never("nothing");
  const Handle<void> task = scheduler.spawn(report(&log, "task", protect(wait_here(&never))));
  SECTION("alone") {
    REQUIRE(run(scheduler) == text(1));
    REQUIRE(log.back() == "task: cancelled: Deadlock detected");
  }
  SECTION("cancelled before") {
    scheduler.spawn(cancel(&*task));
    REQUIRE(run(scheduler) == text(1));
    REQUIRE(log.back() == "task: cancelled: cancelled");
  }
  REQUIRE(log.size() == 3);
}

TEST_CASE_METHOD(Deadlocks, "a deadlock reports a task that another library has suspended",
                 "[step09]") {
  scheduler.spawn([]() -> Coroutine<> {
    const Living living;
    co_await std::suspend_always();
  }());
  REQUIRE(run(scheduler) == text(1));
  REQUIRE(log.size() == 2);
  REQUIRE(log[1].ends_with(", waits for no event of coop"));
}

TEST_CASE_METHOD(Deadlocks, "a task that waits for a timer is not a deadlock", "[step09]") {
  ManualEvent event;
  scheduler.spawn(wait_here(&event));
  scheduler.spawn([](ManualEvent* e) -> Coroutine<> {
    co_await sleep(std::chrono::hours(24));
    e->set();
  }(&event));
  REQUIRE(run(scheduler) == "nothing");
}

TEST_CASE("a handle can outlive the scheduler", "[step09]") {
  const NothingLeft nothing_left;
  Log log;
  FakeReactor reactor;
  std::list<Handle<void>> handles;
  auto scheduler = std::make_unique<Scheduler>(reactor);  // AddressSanitizer sees best on the heap
  for (int i = 0; i < 2; ++i) handles.push_back(scheduler->spawn(fail("oh")));
  scheduler->run();
  handles.push_back(scheduler->spawn(say(&log, "never")));
  int unhandled = 0;
  scheduler->on_unhandled([&](const std::exception_ptr&) { ++unhandled; });
  handles.pop_front();
  scheduler.reset();
  REQUIRE(handles.back()->is_finished());
  handles.back()->cancel();
  Scheduler other(reactor);
  for (const Handle<void>& handle : handles) other.run(join(&log, "task", handle));
  handles.clear();
  REQUIRE(unhandled == 1);
  REQUIRE(log == Log{"task: oh", "task: cancelled: destroyed"});
}
