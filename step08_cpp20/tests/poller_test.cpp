#include "poller.hpp"

#include <poll.h>
#include <sys/resource.h>
#include <unistd.h>

#include <chrono>
#include <new>
#include <vector>

#include "any_catch2.hpp"
#include "memory.hpp"
#include "pair.hpp"

namespace {

/// How many milliseconds poll(2) was last asked to wait.
int asked = 0;

const WaitEnd ready{1, std::error_code()};

/// What poll(2) is asked while a task waits for a socket that is ready.
int asked_with(Clock::time_point deadline, bool block) {
  const Pair pair;
  pair.there.write("x");
  Poller poller;
  poller.add({1, pair.here.descriptor(), POLLIN, deadline});
  REQUIRE(poller.poll(block) == std::vector<WaitEnd>{ready});
  return asked;
}

}  // namespace

/// In the place of the system's, and the same.
extern "C" int poll(pollfd* polled, nfds_t count, int milliseconds) {
  asked = milliseconds;
  const timespec time{milliseconds / 1000, milliseconds % 1000 * 1000000L};
  return ::ppoll(polled, count, milliseconds < 0 ? nullptr : &time, nullptr);
}

TEST_CASE("poll(2) is asked to wait until the deadline, without one for ever, or not at all",
          "[step08]") {
  const auto now = Clock::now();
  REQUIRE(asked_with(no_deadline, true) < 0);
  REQUIRE(asked_with(no_deadline, false) == 0);
  REQUIRE(asked_with(now, true) == 0);
  REQUIRE(asked_with(Clock::time_point::min(), true) == 0);
  REQUIRE(asked_with(now + std::chrono::hours(1), false) == 0);
  REQUIRE(asked_with(now + std::chrono::hours(1), true) > 0);
  REQUIRE(asked_with(now + std::chrono::hours(1), true) <= 3600000);
  REQUIRE(asked_with(now + std::chrono::hours(24 * 365), true) > 0);
}

TEST_CASE("nobody waits: poll returns at once", "[step08]") {
  REQUIRE(Poller().poll(true).empty());
}

TEST_CASE("a wait for the descriptor 0 is like any other", "[step08]") {
  const int kept = ::dup(0);
  ::close(0);
  Pair pair;
  CHECK(pair.here.number() == 0);
  Poller poller;
  poller.add({1, pair.here.descriptor(), POLLIN, no_deadline});
  CHECK(poller.poll(false).empty());
  pair.there.write("x");
  CHECK(poller.poll(true) == std::vector<WaitEnd>{ready});
  CHECK(asked < 0);
  pair.here.close();
  ::dup2(kept, 0);
  ::close(kept);
}

TEST_CASE("a poll that there is no memory for ends no wait", "[step08]") {
  const Pair pair;
  bool failed = true;
  for (long n = 0; failed; ++n) {
    Poller poller;
    poller.add({1, pair.here.descriptor(), POLLIN, no_deadline});
    poller.add({2, pair.there.descriptor(), POLLIN, no_deadline});
    poller.add({3, pair.there.descriptor(), POLLIN, Clock::time_point::min()});
    memory::granted = n;
    failed = false;
    try {
      poller.poll(false);
    } catch (const std::bad_alloc&) {
      failed = true;
    }
    memory::granted = -1;
    const WaitEnd late{3, std::make_error_code(std::errc::timed_out)};
    if (failed) REQUIRE(poller.poll(false) == std::vector<WaitEnd>{late});
    REQUIRE(poller.poll(false).empty());
  }
}

TEST_CASE("poll(2) that fails is an error", "[step08]") {
  const Pair pair;
  Poller poller;
  poller.add({1, pair.here.descriptor(), POLLIN, no_deadline});
  poller.add({2, pair.there.descriptor(), POLLIN, no_deadline});
  rlimit kept{};
  ::getrlimit(RLIMIT_NOFILE, &kept);
  const rlimit one{1, kept.rlim_max};  // poll(2) takes no more descriptors than that
  ::setrlimit(RLIMIT_NOFILE, &one);
  CHECK_THROWS_AS(poller.poll(false), std::system_error);
  ::setrlimit(RLIMIT_NOFILE, &kept);
}
