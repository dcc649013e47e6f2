#include <arpa/inet.h>

#include <fstream>

#include "allocations.hpp"
#include "coop/uv/file.hpp"
#include "coop/uv/poll.hpp"
#include "coop/uv/udp.hpp"
#include "coop/uv/watch.hpp"
#include "uv_files.hpp"
#include "uv_tcp.hpp"

using namespace coop;
using namespace std::chrono_literals;

// What libuv tells comes to those who wait for it, or an error does, though there is no memory.

namespace {

const std::string text = "This is longer than what a string keeps in itself.";

/// Lets `body` wait, and then, what it waits for, happen; the next allocation fails. Was there one?
Coroutine<bool> happen_without_memory(Log* out, Coroutine<> body, std::function<void()> happen) {
  const Handle<void> waiting = spawn(outcome(out, "it", std::move(body)));
  co_await suspend();
  happen();
  allocations::fail_at(1);
  co_await waiting;
  const bool failed = allocations::failed();
  allocations::fail_at(0);
  co_return failed;
}

Coroutine<> read_without_memory(Log* out) {
  const Connection ends = co_await make_connection();
  const auto speak = [other = ends.other->descriptor()] {
    CHECK(::send(other, text.data(), text.size(), 0) > 0);
  };
  const bool failed = co_await happen_without_memory(out, read_one(out, ends.one.get()), speak);
  CHECK(failed);
}

struct Socket {
  explicit Socket(int type) : number(::socket(AF_INET, type, 0)) {}
  Socket(const Socket&) = delete;
  ~Socket() { ::close(number); }

  int number;
};

/// In the system's own way, which needs none of our memory.
void connect_to(int socket, int port) {
  const Address address("127.0.0.1", port);
  CHECK(::connect(socket, address.get(), sizeof(sockaddr_in)) == 0);
}

Coroutine<> accept_one(Listener* listener) {
  const std::unique_ptr<Stream> client = co_await listener->accept();
}

Coroutine<> accept_without_memory(Log* out) {
  Listener listener(Address("127.0.0.1", 0));
  const Socket client(SOCK_STREAM);
  const auto connect = [&client, &listener] { connect_to(client.number, listener.port()); };
  const bool failed = co_await happen_without_memory(out, accept_one(&listener), connect);
  CHECK(failed);
}

Coroutine<> close_when_ready(Listener* listener) {
  co_await wait(*listener);
  listener->close();
  allocations::fail_at(0);
}

/// Neither is there memory when the listener is closed; then somebody still waits for it.
Coroutine<> close_without_memory(Log* out) {
  Listener listener(Address("127.0.0.1", 0));
  const Socket client(SOCK_STREAM);
  const Handle<void> closing = spawn(close_when_ready(&listener));
  const Handle<void> accepting = spawn(outcome(out, "accept", accept_one(&listener)));
  co_await suspend();
  connect_to(client.number, listener.port());
  allocations::fail_at(1, true);
  co_await closing;
  co_await accepting;
}

Coroutine<> receive_one(Udp* udp) {
  const Datagram datagram = co_await udp->receive();
}

Coroutine<> receive_without_memory(Log* out) {
  Udp udp;
  udp.bind(Address("127.0.0.1", 0));
  const Socket peer(SOCK_DGRAM);
  const auto speak = [&peer, &udp] {
    connect_to(peer.number, udp.port());
    CHECK(::send(peer.number, text.data(), text.size(), 0) > 0);
  };
  const bool failed = co_await happen_without_memory(out, receive_one(&udp), speak);
  CHECK(failed);
}

Coroutine<> hear_of_change(Watch* watch) {
  const Change change = co_await watch->next();
}

Coroutine<> watch_without_memory(Log* out) {
  const TemporaryFolder folder;
  Watch watch(folder.path());
  const auto change = [&folder] { std::ofstream(folder / "a file with a long name"); };
  const bool failed = co_await happen_without_memory(out, hear_of_change(&watch), change);
  CHECK(failed);
}

/// The first change is lost, the second one is not; and that one was lost is told, too.
Coroutine<> hear_of_loss(Log* out) {
  const TemporaryFolder folder;
  Watch watch(folder.path());
  std::ofstream(folder / "a file with a long name");
  allocations::fail_at(1);
  UvReactor::current().tick(false);
  allocations::fail_at(0);
  std::ofstream(folder / "another");
  UvReactor::current().tick(false);
  const Change change = co_await watch.next();
  out->push_back(change.name);
  co_await outcome(out, "then", hear_of_change(&watch));
}

Coroutine<> poll_without_memory(Log* out) {
  Ends pipe(::pipe);
  const auto put = [&pipe] { CHECK(::write(pipe.both[1], "x", 1) == 1); };
  const bool failed = co_await happen_without_memory(out, readable(pipe.both[0]), put);
  CHECK_FALSE(failed);
}

Coroutine<> open_null() {
  const std::unique_ptr<File> file = co_await open_file("/dev/null");
}

void nothing() {}

}  // namespace

TEST_CASE_METHOD(UvWorld, "bytes come that there is no memory for", "[step09]") {
  scheduler.spawn(read_without_memory(&log));
  REQUIRE(run(scheduler) == "nothing");
  REQUIRE(log == Log{"it: ENOMEM"});
}

TEST_CASE_METHOD(UvWorld, "a client comes that there is no memory for yet", "[step09]") {
  scheduler.spawn(accept_without_memory(&log));
  REQUIRE(run(scheduler) == "nothing");
  REQUIRE(log == Log{"it: done"});
}

TEST_CASE_METHOD(UvWorld, "a client comes, there is no memory for it, and the listener is closed",
                 "[step09]") {
  scheduler.run(close_without_memory(&log));
  REQUIRE(log == Log{"accept: ECANCELED"});
}

TEST_CASE_METHOD(UvWorld, "a datagram comes that there is no memory for", "[step09]") {
  scheduler.spawn(receive_without_memory(&log));
  REQUIRE(run(scheduler) == "nothing");
  REQUIRE(log == Log{"it: ENOMEM"});
}

TEST_CASE_METHOD(UvWorld, "a file changes, and there is no memory for its name", "[step09]") {
  scheduler.spawn(watch_without_memory(&log));
  REQUIRE(run(scheduler) == "nothing");
  REQUIRE(log == Log{"it: ENOMEM"});
}

TEST_CASE_METHOD(UvWorld, "two files change, and there was no memory for the first one's name",
                 "[step09]") {
  scheduler.run(hear_of_loss(&log));
  REQUIRE(log == Log{"another", "then: ENOMEM"});
}

TEST_CASE_METHOD(UvWorld, "what goes wrong in a callback is given to whoever called it",
                 "[step09]") {
  REQUIRE(run_in_callback([] { throw UvError(UV_EIO, "oh"); }) == UV_EIO);
  REQUIRE(run_in_callback([] { throw std::bad_alloc(); }) == UV_ENOMEM);
  REQUIRE(run_in_callback([] {}) == 0);
}

TEST_CASE_METHOD(UvWorld, "waking those who wait for a descriptor needs no memory", "[step09]") {
  log.reserve(10);
  scheduler.spawn(poll_without_memory(&log));
  REQUIRE(run(scheduler) == "nothing");
  REQUIRE(log == Log{"it: done"});
}

TEST_CASE_METHOD(UvWorld, "a file is open, and there is no memory for it", "[step09]") {
  scheduler.spawn(happen_without_memory(&log, open_null(), nothing));
  REQUIRE(run(scheduler) == "nothing");
  REQUIRE(log == Log{"it: std::bad_alloc"});
}

TEST_CASE_METHOD(UvWorld, "without memory for what is posted, the program ends", "[step09]") {
  const auto post = [this] { reactor.post(nothing); };
  Timer hour(reactor, 1h);
  scheduler.spawn(happen_without_memory(&log, until(&hour), post));
  REQUIRE(run(scheduler) == "std::bad_alloc");
  REQUIRE(log == Log{"it: cancelled: graceful shutdown"});
}
