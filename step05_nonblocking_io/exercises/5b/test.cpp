#include <sys/socket.h>

#include <any_catch2.hpp>
#include <string>
#include <system_error>
#include <vector>

#include "poller.hpp"

namespace {

struct Pair {
  Pair() {
    int ends[2];
    REQUIRE(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, ends) == 0);
    here = Socket(ends[0]);
    there = Socket(ends[1]);
  }
  Socket here, there;
};

using Ended = std::vector<std::string>;

/// Whose wait is over, and how that ended.
Ended ended(Poller& poller) {
  Ended all;
  for (const auto& [task, error] : poller.poll(false)) {
    const std::string how = !error                                   ? "ready"
                            : error == std::errc::operation_canceled ? "closed"
                            : error == std::errc::timed_out          ? "timed out"
                                                                     : error.message();
    all.push_back(std::to_string(task) + " " + how);
  }
  return all;
}

const Clock::time_point long_ago = Clock::time_point::min();

}  // namespace

TEST_CASE("a wait is over when there is something to read") {
  Pair pair;
  Poller poller;
  poller.add({7, pair.here.descriptor(), POLLIN, no_deadline});
  pair.there.write("x");
  REQUIRE(ended(poller) == Ended{"7 ready"});
}

TEST_CASE("a wait that is over is forgotten") {
  Pair pair;
  Poller poller;
  poller.add({7, pair.here.descriptor(), POLLIN, no_deadline});
  pair.there.write("x");
  poller.poll(false);
  REQUIRE(poller.empty());
}

TEST_CASE("a wait goes on while there is nothing to read") {
  Pair pair;
  Poller poller;
  poller.add({7, pair.here.descriptor(), POLLIN, no_deadline});
  REQUIRE(ended(poller).empty());
  REQUIRE_FALSE(poller.empty());
}

TEST_CASE("who waits to read is not woken because there is room to write") {
  Pair pair;
  Poller poller;
  poller.add({7, pair.here.descriptor(), POLLIN, no_deadline});
  poller.add({8, pair.here.descriptor(), POLLOUT, no_deadline});
  REQUIRE(ended(poller) == Ended{"8 ready"});
}

TEST_CASE("a wait is over when the other side has gone, whatever it was for") {
  Pair pair;
  Poller poller;
  poller.add({7, pair.here.descriptor(), 0, no_deadline});
  pair.there.close();
  REQUIRE(ended(poller) == Ended{"7 ready"});
}

TEST_CASE("a wait is over when its socket has been closed") {
  Pair pair;
  Poller poller;
  poller.add({7, pair.here.descriptor(), POLLIN, no_deadline});
  pair.here.close();
  REQUIRE(ended(poller) == Ended{"7 closed"});
}

TEST_CASE("a wait is over at its deadline") {
  Pair pair;
  Poller poller;
  poller.add({7, pair.here.descriptor(), POLLIN, long_ago});
  REQUIRE(ended(poller) == Ended{"7 timed out"});
}

TEST_CASE("a socket that is ready counts, even if the deadline has come as well") {
  Pair pair;
  Poller poller;
  poller.add({7, pair.here.descriptor(), POLLIN, long_ago});
  pair.there.write("x");
  REQUIRE(ended(poller) == Ended{"7 ready"});
}
