// Sockets, and what is made of them: who listens, and who is asked to end.
#include "socket.hpp"

#include <netinet/in.h>
#include <sched.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <fstream>

#include "any_catch2.hpp"
#include "listen.hpp"
#include "pair.hpp"
#include "peer.hpp"
#include "stop_requests.hpp"

namespace {

/// The number that the next descriptor will get.
int next_number() {
  const int number = ::dup(2);
  ::close(number);
  return number;
}

/// As long as it lives, the number 0 is free.
class WithoutInput {
 public:
  WithoutInput() { ::close(0); }
  ~WithoutInput() {
    ::dup2(kept_, 0);
    ::close(kept_);
  }
  WithoutInput(const WithoutInput&) = delete;
  WithoutInput& operator=(const WithoutInput&) = delete;

 private:
  int kept_ = ::dup(0);
};

/// What short_queue() gives in a network of its own that queues `limit` connections; -1 if this
/// system allows no such network.
int short_queue_of(int limit) {
  const pid_t child = ::fork();
  if (child == 0) {
    if (::unshare(CLONE_NEWUSER | CLONE_NEWNET) < 0) ::_exit(255);
    std::ofstream setting("/proc/sys/net/core/somaxconn");
    if (!(setting << limit << std::flush)) ::_exit(255);
    ::_exit(short_queue());
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) < 255 ? WEXITSTATUS(status) : -1;
}

}  // namespace

TEST_CASE("a peer that is gone is an error, not a signal", "[step08]") {
  Pair pair;
  pair.there.close();
  REQUIRE(pair.here.write("x").error == std::errc::broken_pipe);
}

TEST_CASE("a closed socket gives errors and nothing else", "[step08]") {
  Pair pair;
  const Socket copy = pair.here;
  pair.here.close();
  pair.here.close();
  Socket().close();
  REQUIRE(copy.number() == -1);
  REQUIRE(copy.read(1).error == std::errc::bad_file_descriptor);
  REQUIRE(copy.write("x").error == std::errc::bad_file_descriptor);
  REQUIRE(copy.accept().error == std::errc::bad_file_descriptor);
  REQUIRE(Socket().read(1).error == std::errc::bad_file_descriptor);
}

TEST_CASE("an empty socket that would have to wait says so", "[step08]") {
  Pair pair;
  REQUIRE(try_again(pair.here.read(1).error));
  REQUIRE(try_again(listen_on(0).value.accept().error));
}

TEST_CASE("a port that is taken is an error", "[step08]") {
  const Socket first = listen_on(0).value;
  REQUIRE(port_of(first) > 0);
  REQUIRE(listen_on(port_of(first)).error == std::errc::address_in_use);
}

TEST_CASE("to write nothing is no error", "[step08]") {
  const Pair pair;
  errno = EAGAIN;  // left over from before
  const Result<std::size_t> written = pair.here.write("");
  REQUIRE_FALSE(written.error);
  REQUIRE(written.value == 0);
}

TEST_CASE("shutdown_write ends the stream for the peer", "[step08]") {
  const Pair pair;
  pair.here.shutdown_write();
  REQUIRE_FALSE(pair.there.read(1).error);
}

TEST_CASE("a connection may get the number 0, and is closed like any other", "[step08]") {
  const Socket listener = listen_on(0).value;
  const Peer peer(port_of(listener));
  const WithoutInput freed;
  Result<Socket> client = listener.accept();
  CHECK_FALSE(client.error);
  CHECK(client.value.number() == 0);
  client.value.close();
  CHECK(next_number() == 0);
}

TEST_CASE("nobody can connect from another machine", "[step08]") {
  const Socket listener = listen_on(0).value;
  sockaddr_in address{};
  socklen_t size = sizeof address;
  REQUIRE(::getsockname(listener.number(), reinterpret_cast<sockaddr*>(&address), &size) == 0);
  REQUIRE(ntohl(address.sin_addr.s_addr) == INADDR_LOOPBACK);
}

TEST_CASE("a short queue of the system is noticed", "[step08]") {
  const int limit = short_queue_of(16);
  if (limit < 0) {
    WARN("this system allows no network of one's own");
    return;
  }
  REQUIRE(limit == 16);
  REQUIRE(short_queue_of(SOMAXCONN) == 0);
}

TEST_CASE("a request to end can be read, and keeps errno, also when nothing more can be written",
          "[step08]") {
  const StopRequests stop;
  REQUIRE(try_again(stop.socket().read(1).error));
  for (int i = 0; i < 100000; ++i) {  // a pipe holds 65536
    errno = EDOM;
    StopRequests::request();
    if (errno != EDOM) FAIL("request " << i << " has changed errno");
  }
  REQUIRE(stop.socket().read(1).value.size() == 1);
}

TEST_CASE("after the end of StopRequests signals do what they did, and nothing is left open",
          "[step08]") {
  const int next = next_number();
  {
    const StopRequests stop;
    std::raise(SIGTERM);
    REQUIRE(stop.socket().read(1).value.size() == 1);
  }
  REQUIRE(std::signal(SIGINT, SIG_DFL) == SIG_DFL);
  REQUIRE(std::signal(SIGTERM, SIG_DFL) == SIG_DFL);
  REQUIRE(next_number() == next);
}

TEST_CASE("a request to end that nobody waits for is written nowhere", "[step08]") {
  const auto is_silent = [](const Pair& pair) {
    StopRequests::request();
    return try_again(pair.here.read(1).error) && try_again(pair.there.read(1).error);
  };
  {
    const WithoutInput freed;
    const Pair pair;
    CHECK(pair.here.number() == 0);
    CHECK(is_silent(pair));
  }
  delete new StopRequests;
  REQUIRE(is_silent(Pair()));  // which has the same numbers now
}
