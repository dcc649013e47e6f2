#include <poll.h>

#include <chrono>
#include <ctime>
#include <memory>
#include <optional>
#include <string>

#include "any_catch2.hpp"
#include "calls.hpp"
#include "catching.hpp"
#include "co_socket.hpp"
#include "pair.hpp"
#include "process.hpp"
#include "script.hpp"

namespace {

/// Yields until a flag is true.
class YieldUntil final : public Coroutine {
 public:
  explicit YieldUntil(const bool& flag) : flag_(flag) {}

 private:
  const bool& flag_;

  std::optional<Yielded> resume(Value) override {
    if (flag_) return std::nullopt;
    return Nothing{};
  }
};

Clock::time_point past() {
  return Clock::now() - std::chrono::hours(1);
}

Clock::time_point future() {
  return Clock::now() + std::chrono::hours(1);
}

const std::string timed_out = "caught Connection timed out";

}  // namespace

TEST_CASE("a wait throws timed_out into its task when its deadline is in the past", "[step07]") {
  Log log;
  const Pair pair = connected_pair();
  fill(pair.here);
  Scheduler scheduler;
  scheduler.new_task(
      catching(log, {say(log, "reads", wait_for_read(pair.here, past())),
                     say(log, "writes", wait_for_write(pair.here, past())), say(log, "end")}));
  scheduler.run();
  REQUIRE(log == Log{"reads", timed_out, "writes", timed_out, "end"});
}

TEST_CASE("a wait ends without an exception when its socket is ready before the deadline",
          "[step07]") {
  Log log;
  const Pair pair = connected_pair();
  pair.there.write("x");
  Scheduler scheduler;
  scheduler.new_task(
      catching(log, {say(log, "reads", wait_for_read(pair.here, future())), say(log, "end")}));
  scheduler.run();
  REQUIRE(log == Log{"reads", "end"});
}

TEST_CASE(
    "a wait ends without an exception when its socket is ready although its deadline is in the "
    "past",
    "[step07]") {
  Log log;
  const Pair pair = connected_pair();
  pair.there.write("x");
  Scheduler scheduler;
  scheduler.new_task(
      catching(log, {say(log, "reads", wait_for_read(pair.here, past())),
                     say(log, "writes", wait_for_write(pair.here, past())), say(log, "end")}));
  scheduler.run();
  REQUIRE(log == Log{"reads", "writes", "end"});
}

TEST_CASE("the wait with the earliest deadline ends first", "[step07]") {
  Log log;
  const Pair one = connected_pair(), two = connected_pair();
  const auto soon = Clock::now() + std::chrono::milliseconds(10);
  Scheduler scheduler;
  scheduler.new_task(catching(
      log, {say(log, "1 waits", wait_for_read(one.here, future())), say(log, "1 is woken")}));
  scheduler.new_task(catching(
      log, {say(log, "2 waits", wait_for_read(two.here, soon)), say(log, "2 writes"), act([&] {
              CHECK(Clock::now() >= soon);
              one.there.write("x");
            })}));
  scheduler.run();
  REQUIRE(log == Log{"1 waits", "2 waits", timed_out, "2 writes", "1 is woken"});
}

TEST_CASE("sleep_until returns without an exception when its time has come", "[step07]") {
  Log log;
  const auto soon = Clock::now() + std::chrono::milliseconds(10);
  Scheduler scheduler;
  scheduler.new_task(
      catching(log, {say(log, "a", sleep_until(past())), hear(log, "a got ", sleep_until(soon)),
                     act([&] { CHECK(Clock::now() >= soon); }), say(log, "a ends")}));
  scheduler.run();
  REQUIRE(log == Log{"a", "a got nothing", "a ends"});
}

TEST_CASE("sleep_until does not return before its time when another task yields all the time",
          "[step07]") {
  bool has_slept = false;
  const auto soon = Clock::now() + std::chrono::milliseconds(10);
  Scheduler scheduler;
  scheduler.new_task(script({[&](Value) { return sleep_until(soon); }, act([&] {
                               CHECK(Clock::now() >= soon);
                               has_slept = true;
                             })}));
  scheduler.new_task(std::make_shared<YieldUntil>(has_slept));
  scheduler.run();
  REQUIRE(has_slept);
}

TEST_CASE("run uses no CPU time while all tasks wait for a deadline", "[step07]") {
  Log log;
  Scheduler scheduler;
  scheduler.new_task(
      script({say(log, "sleeps", sleep_until(Clock::now() + std::chrono::milliseconds(300)))}));
  const std::clock_t before = std::clock();
  scheduler.run();
  REQUIRE(std::clock() - before < CLOCKS_PER_SEC / 50);  // CPU time
}

TEST_CASE("a killed task does not keep run waiting for its deadline", "[step07]") {
  Log log;
  Scheduler scheduler;
  scheduler.new_task(catching(log, {say(log, "sleeps", sleep_until(future())), say(log, "never")}));
  scheduler.new_task(script({pass(), say(log, "kills", kill_task(1))}));
  scheduler.run();
  REQUIRE(log == Log{"sleeps", "kills"});
}

TEST_CASE("limit_deadlines ends the waits of all tasks", "[step07]") {
  Log log;
  const Pair pair = connected_pair();
  Scheduler scheduler;
  scheduler.new_task(catching(log, {say(log, "1", wait_for_read(pair.here)), say(log, "1 ends")}));
  scheduler.new_task(
      catching(log, {say(log, "2", wait_for_read(pair.here, future())), say(log, "2 ends")}));
  scheduler.new_task(catching(log, {say(log, "3", sleep_until(future())), say(log, "3 ends")}));
  scheduler.new_task(script({say(log, "4"), act([&] { scheduler.limit_deadlines(past()); })}));
  scheduler.run();
  REQUIRE(log == Log{"1", "2", "3", "4", timed_out, "1 ends", timed_out, "2 ends", "3 ends"});
}

TEST_CASE("limit_deadlines limits the deadlines of later waits", "[step07]") {
  Log log;
  const Pair pair = connected_pair();
  Scheduler scheduler;
  scheduler.limit_deadlines(past());
  scheduler.new_task(catching(log, {say(log, "1", wait_for_read(pair.here)), say(log, "1 ends")}));
  scheduler.new_task(
      catching(log, {say(log, "2", wait_for_read(pair.here, future())), say(log, "2 ends")}));
  scheduler.run();
  REQUIRE(log == Log{"1", "2", timed_out, "1 ends", timed_out, "2 ends"});
}

TEST_CASE("a wait throws timed_out after the time of limit_deadlines although its socket is ready",
          "[step07]") {
  Log log;
  const Pair pair = connected_pair();
  pair.there.write("x");
  Scheduler scheduler;
  scheduler.limit_deadlines(past());
  scheduler.new_task(
      catching(log, {say(log, "reads", wait_for_read(pair.here)), say(log, "ends")}));
  scheduler.run();
  REQUIRE(log == Log{"reads", timed_out, "ends"});
}

TEST_CASE("limit_deadlines does not lengthen a deadline", "[step07]") {
  Log log;
  const Pair pair = connected_pair();
  Scheduler scheduler;
  const SystemCall wait_and_limit = [fd = pair.here.fd()](TaskId asker, Scheduler& s) {
    s.wait_for(asker, fd, POLLIN, past());
    s.limit_deadlines(future());
  };
  scheduler.new_task(
      catching(log, {say(log, "waits", wait_and_limit),
                     say(log, "waits", wait_for_read(pair.here, past())), say(log, "ends")}));
  scheduler.run();
  REQUIRE(log == Log{"waits", timed_out, "waits", timed_out, "ends"});
}

TEST_CASE("the deadline of a CoSocket ends all its reads and writes", "[step07]") {
  Log log;
  const Pair pair = connected_pair();
  fill(pair.here);
  CoSocket socket(pair.here);
  socket.set_deadline(past());
  Scheduler scheduler;
  scheduler.new_task(
      catching(log, {say(log, "reads", socket.read(10)), say(log, "reads", socket.read(10)),
                     say(log, "writes", socket.write("x")), say(log, "ends")}));
  scheduler.run();
  REQUIRE(log == Log{"reads", timed_out, "reads", timed_out, "writes", timed_out, "ends"});
}

TEST_CASE("a later deadline of a CoSocket replaces an earlier deadline", "[step07]") {
  Log log;
  const Pair pair = connected_pair();
  pair.there.write("hello");
  CoSocket socket(pair.here);
  socket.set_deadline(past());
  socket.set_deadline(future());
  Scheduler scheduler;
  scheduler.new_task(catching(log, {say(log, "reads", socket.read(10)), hear(log, "got ")}));
  scheduler.run();
  REQUIRE(log == Log{"reads", "got hello"});
}
