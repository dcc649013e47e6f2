// How long poll(2) may wait. The tests replace it, because nothing else sees its timeout.

#include <poll.h>

#include <chrono>
#include <ctime>
#include <string>
#include <utility>
#include <vector>

#include "any_catch2.hpp"
#include "calls.hpp"
#include "pair.hpp"
#include "script.hpp"
#include "wait.hpp"

namespace {

std::vector<int> timeouts;  // of all calls of poll(2)

/// Runs a task that awaits a system call. Returns the timeouts of the calls of poll(2).
std::vector<int> timeouts_of(SystemCall call) {
  Scheduler scheduler;
  scheduler.new_task(script({[call = std::move(call)](Value) { return call; }}));
  timeouts.clear();
  scheduler.run();
  return timeouts;
}

}  // namespace

/// Is called instead of the function of the C library.
extern "C" int poll(pollfd* sockets, nfds_t count, int milliseconds) {
  timeouts.push_back(milliseconds);
  const std::timespec timeout{milliseconds / 1000, milliseconds % 1000 * 1000000L};
  return ::ppoll(sockets, count, milliseconds < 0 ? nullptr : &timeout, nullptr);
}

TEST_CASE("a wait for a deadline polls once when the deadline is 2.5 milliseconds away",
          "[step07]") {
  for (int i = 0; i < 20; ++i) {
    const auto time = Clock::now() + std::chrono::microseconds(2500);
    REQUIRE(timeouts_of(sleep_until(time)).size() == 1);
    REQUIRE(Clock::now() >= time);
  }
}

TEST_CASE("poll has a timeout when the deadline is 30 days away", "[step07]") {
  const Pair pair = connected_pair();
  pair.there.write("x");
  const auto deadline = Clock::now() + std::chrono::hours(24 * 30);  // too long for an int
  const std::vector<int> polls = timeouts_of(wait_for_read(pair.here, deadline));
  REQUIRE(polls.size() == 1);
  REQUIRE(polls[0] >= 1000);
}
