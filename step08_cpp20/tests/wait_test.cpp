#include "wait.hpp"

#include <chrono>
#include <ctime>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <utility>

#include "any_catch2.hpp"
#include "pair.hpp"
#include "script.hpp"

namespace {

Clock::time_point past() {
  return Clock::now() - std::chrono::hours(1);
}

Clock::time_point future() {
  return Clock::now() + std::chrono::hours(1);
}

/// Waits for data and writes them to the log. If the wait fails, writes the message to the log.
Coroutine<> reading(Log* log, std::string name, Socket socket,
                    Clock::time_point deadline = no_deadline) {
  log->push_back(name + " waits");
  try {
    co_await wait_for_read(socket, deadline);
    log->push_back(name + ": " + socket.read(100).value_or("would block"));
  } catch (const std::system_error& error) {
    log->push_back(name + ": " + error.what());
  }
}

Coroutine<> writing(Log* log, std::string name, Socket socket,
                    Clock::time_point deadline = no_deadline) {
  log->push_back(name + " waits");
  try {
    co_await wait_for_write(socket, deadline);
    log->push_back(name + " can write");
  } catch (const std::system_error& error) {
    log->push_back(name + ": " + error.what());
  }
}

/// Waits until the deadline, and then writes to another socket.
Coroutine<> waiting_and_writing(Log* log, Socket socket, Clock::time_point deadline, Socket other) {
  co_await reading(log, "2", socket, deadline);
  other.write("x");
}

/// Waits for a socket, and then for a task.
Coroutine<> waiting_twice(Log* log, Socket socket, TaskId id) {
  co_await wait_for_read(socket);
  co_await wait(log, "a", id);
}

Coroutine<> sleeping(Log* log, Clock::time_point time) {
  log->push_back("sleeps");
  co_await sleep_until(time);
  log->push_back("is woken");
}

const std::string timed_out = ": Connection timed out";

}  // namespace

TEST_CASE("a task that waits to read is woken when data arrives and other tasks run meanwhile",
          "[step08]") {
  Log log;
  const Pair pair = connected_pair();
  Scheduler scheduler;
  scheduler.new_task(reading(&log, "a", pair.here));
  scheduler.new_task(say(&log, {"b1", "b2", "b3"}));
  scheduler.new_task(act(3, [&] { pair.there.write("x"); }));
  scheduler.run();
  REQUIRE(log == Log{"a waits", "b1", "b2", "b3", "a: x"});
}

TEST_CASE("a task that waits to write is woken when the peer has read", "[step08]") {
  Log log;
  const Pair pair = connected_pair();
  fill(pair.here);
  Scheduler scheduler;
  scheduler.new_task(writing(&log, "a", pair.here));
  scheduler.new_task(say(&log, {"b1", "b2"}));
  scheduler.new_task(act(2, [&] { drain(pair.there); }));
  scheduler.run();
  REQUIRE(log == Log{"a waits", "b1", "b2", "a can write"});
}

TEST_CASE("a closed peer wakes the task that waits for it and no other task", "[step08]") {
  Log log;
  std::optional<Pair> closing = connected_pair();
  const Pair other = connected_pair();
  Scheduler scheduler;
  scheduler.new_task(reading(&log, "a", closing->here));
  scheduler.new_task(reading(&log, "b", other.here));
  scheduler.new_task(act(0, [&] { closing.reset(); }));
  scheduler.new_task(act(3, [&] { other.there.write("hello"); }));
  scheduler.run();
  REQUIRE(log == Log{"a waits", "b waits", "a: ", "b: hello"});
}

TEST_CASE("two tasks that wait for one socket are both woken", "[step08]") {
  Log log;
  const Pair pair = connected_pair();
  Scheduler scheduler;
  scheduler.new_task(reading(&log, "1", pair.here));
  scheduler.new_task(reading(&log, "2", pair.here));
  scheduler.new_task(act(0, [&] { pair.there.write("first"); }));
  scheduler.run();
  REQUIRE(log == Log{"1 waits", "2 waits", "1: first", "2: would block"});
}

TEST_CASE("a task is woken once when its socket stays ready", "[step08]") {
  Log log;
  const Pair pair = connected_pair();
  pair.there.write("x");
  Scheduler scheduler;
  scheduler.new_task(waiting_twice(&log, pair.here, 2));
  scheduler.new_task(say(&log, {"b1", "b2", "b3", "b4"}));
  scheduler.run();
  REQUIRE(log == Log{"b1", "b2", "a waits", "b3", "b4", "a continues"});
}

TEST_CASE("run returns when the only waiting task has been killed and its socket is closed",
          "[step08]") {
  Log log;
  std::optional<Pair> pair = connected_pair();
  const Socket peer = pair->there;
  Scheduler scheduler;
  scheduler.new_task(reading(&log, "a", pair->here));
  pair.reset();
  scheduler.new_task(kill(&log, 1, 1));
  scheduler.run();
  REQUIRE(log == Log{"a waits", "kills", "killer continues"});
  REQUIRE(peer.read(10) == "");
}

TEST_CASE("a wait throws timed_out into its task when its deadline is in the past", "[step08]") {
  Log log;
  const Pair pair = connected_pair();
  fill(pair.here);
  Scheduler scheduler;
  scheduler.new_task(reading(&log, "a", pair.here, past()));
  scheduler.new_task(writing(&log, "b", pair.here, past()));
  scheduler.run();
  REQUIRE(log == Log{"a waits", "b waits", "a" + timed_out, "b" + timed_out});
}

TEST_CASE("a wait ends without an exception when its socket is ready before the deadline",
          "[step08]") {
  Log log;
  const Pair pair = connected_pair();
  pair.there.write("x");
  run(reading(&log, "a", pair.here, future()));
  REQUIRE(log == Log{"a waits", "a: x"});
}

TEST_CASE(
    "a wait ends without an exception when its socket is ready although its deadline is in the "
    "past",
    "[step08]") {
  Log log;
  const Pair pair = connected_pair();
  pair.there.write("x");
  Scheduler scheduler;
  scheduler.new_task(reading(&log, "a", pair.here, past()));
  scheduler.new_task(writing(&log, "b", pair.here, past()));
  scheduler.run();
  REQUIRE(log == Log{"a waits", "b waits", "a: x", "b can write"});
}

TEST_CASE("a wait throws timed_out after the time of limit_deadlines although its socket is ready",
          "[step08]") {
  Log log;
  const Pair pair = connected_pair();
  pair.there.write("x");
  Scheduler scheduler;
  scheduler.limit_deadlines(past());
  scheduler.new_task(reading(&log, "a", pair.here));
  scheduler.run();
  REQUIRE(log == Log{"a waits", "a" + timed_out});
}

TEST_CASE("limit_deadlines does not lengthen a deadline", "[step08]") {
  Log log;
  const Pair pair = connected_pair();
  Scheduler scheduler;
  scheduler.new_task(reading(&log, "a", pair.here, past()));
  scheduler.new_task(act(0, [&] { scheduler.limit_deadlines(future()); }));
  scheduler.run();
  REQUIRE(log == Log{"a waits", "a" + timed_out});
}

TEST_CASE("the wait with the earliest deadline ends first", "[step08]") {
  Log log;
  const Pair one = connected_pair(), two = connected_pair();
  const Clock::time_point soon = Clock::now() + std::chrono::milliseconds(10);
  Scheduler scheduler;
  scheduler.new_task(reading(&log, "1", one.here, future()));
  scheduler.new_task(waiting_and_writing(&log, two.here, soon, one.there));
  scheduler.run();
  REQUIRE(Clock::now() >= soon);
  REQUIRE(log == Log{"1 waits", "2 waits", "2" + timed_out, "1: x"});
}

TEST_CASE("sleep_until returns without an exception when its time has come", "[step08]") {
  Log log;
  const Clock::time_point soon = Clock::now() + std::chrono::milliseconds(10);
  run(sleeping(&log, soon));
  REQUIRE(Clock::now() >= soon);
  run(sleeping(&log, past()));
  REQUIRE(log == Log{"sleeps", "is woken", "sleeps", "is woken"});
}

TEST_CASE("run uses no CPU time while all tasks wait", "[step08]") {
  Log log;
  const std::clock_t before = std::clock();
  run(sleeping(&log, Clock::now() + std::chrono::milliseconds(300)));
  REQUIRE(std::clock() - before < CLOCKS_PER_SEC / 50);  // CPU time
}

TEST_CASE("a killed task does not keep run waiting for its deadline", "[step08]") {
  Log log;
  Scheduler scheduler;
  scheduler.new_task(sleeping(&log, future()));
  scheduler.new_task(kill(&log, 1, 1));
  scheduler.run();
  REQUIRE(log == Log{"sleeps", "kills", "killer continues"});
}

TEST_CASE("limit_deadlines limits the deadlines of present and of later waits", "[step08]") {
  Log log;
  const Pair pair = connected_pair();
  Scheduler scheduler;
  scheduler.new_task(reading(&log, "1", pair.here));
  scheduler.new_task(reading(&log, "2", pair.here, future()));
  scheduler.new_task(sleeping(&log, future()));
  scheduler.new_task(act(0, [&] {
    scheduler.limit_deadlines(past());
    scheduler.new_task(reading(&log, "5", pair.here));
  }));
  scheduler.run();
  REQUIRE(log == Log{"1 waits", "2 waits", "sleeps", "5 waits", "1" + timed_out, "2" + timed_out,
                     "is woken", "5" + timed_out});
}
