#include "coop/uv/poll.hpp"
#include "uv_tcp.hpp"

using namespace coop;
using namespace std::chrono_literals;

namespace {

Coroutine<> accept_one(Listener* listener) {
  const std::unique_ptr<Stream> stream = co_await listener->accept();
}

Coroutine<> listen(int port) {
  const Listener listener(Address("127.0.0.1", port));
  co_return;
}

Coroutine<> listen_twice(Log* out) {
  const Listener listener(Address("127.0.0.1", 0));
  co_await outcome(out, "second", listen(listener.port()));
}

Coroutine<> close_while_waiting(Log* out) {
  Listener listener(Address("127.0.0.1", 0));
  const Handle<void> first = spawn(outcome(out, "1", accept_one(&listener)));
  const Handle<void> second = spawn(outcome(out, "2", accept_one(&listener)));
  co_await suspend();
  listener.close();
  listener.close();
  co_await first;
  co_await second;
  co_await outcome(out, "later", accept_one(&listener));
}

/// All who have connected before it closed are served; so many wait with libuv, not with us.
Coroutine<> close_with_arrived(int* served, int count) {
  Listener listener(Address("127.0.0.1", 0));
  std::vector<std::unique_ptr<Stream>> clients;
  for (int i = 0; i < count; ++i) {
    std::unique_ptr<Stream> client = co_await connect(local(listener.port()));
    clients.push_back(std::move(client));
  }
  co_await wait(listener);
  co_await delay(1ms);
  listener.close();
  try {
    for (;; ++*served) {
      co_await accept_one(&listener);
    }
  } catch (const UvError& error) {
    if (error.code() != UV_ECANCELED) throw;
  }
}

/// They wait with the listener before anybody asks for one.
Coroutine<> connect_in_order(Log* out) {
  Listener listener(Address("127.0.0.1", 0));
  std::vector<std::unique_ptr<Stream>> clients;
  for (const char* each : {"1", "2", "3"}) {
    std::unique_ptr<Stream> client = co_await connect(local(listener.port()));
    co_await client->write(each);
    clients.push_back(std::move(client));
  }
  for (int i = 0; i < 3; ++i) UvReactor::current().tick(false);
  for (int i = 0; i < 3; ++i) {
    const std::unique_ptr<Stream> server = co_await listener.accept();
    co_await read_one(out, server.get());
  }
}

Coroutine<> be_ready(Log* out) {
  Listener listener(Address("127.0.0.1", 0));
  out->push_back(listener.is_ready() ? "ready" : "not yet");
  listener.close();
  co_await wait(listener);
  out->push_back(listener.is_ready() ? "ready" : "not yet");
}

Coroutine<> connect_many(Log* out, int count) {
  Listener listener(Address("127.0.0.1", 0));
  std::vector<Handle<void>> tasks;
  for (int i = 0; i < count; ++i) tasks.push_back(spawn(be_greeted(out, local(listener.port()))));
  for (int i = 0; i < count; ++i) {
    co_await accept_and_greet(&listener, "hello");
  }
  for (const Handle<void>& task : tasks) {
    co_await task;
  }
}

/// A client for which there is no descriptor is sent away; the one after it is served.
Coroutine<> run_out_of_descriptors(Log* out) {
  Listener listener(Address("127.0.0.1", 0));
  const Address address("127.0.0.1", listener.port());
  const int client = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  ::connect(client, address.get(), sizeof(sockaddr_in));  // the system says yes before we do
  const Handle<void> accepting = spawn(accept_and_greet(&listener, "hello"));
  {
    const NoMoreDescriptors none;
    co_await readable(client);
  }
  char byte = 0;
  out->push_back(::read(client, &byte, 1) <= 0 ? "sent away" : "served");
  ::close(client);
  co_await be_greeted(out, local(listener.port()));
  co_await join(out, "server", accepting);
}

/// Closes its listener with the last frame of a task, when no scheduler runs any more.
struct Closer {
  explicit Closer(Listener* it) : listener(it) {}
  Closer(const Closer&) = delete;
  ~Closer() { listener->close(); }
  Listener* listener;
};

Coroutine<> close_at_the_end(int count) {
  Listener listener(Address("127.0.0.1", 0));
  const Closer closer(&listener);
  std::vector<std::unique_ptr<Stream>> clients;
  for (int i = 0; i < count; ++i) {
    std::unique_ptr<Stream> client = co_await connect(local(listener.port()));
    clients.push_back(std::move(client));
  }
  co_await wait(listener);
  co_await delay(1ms);
  co_await stop();
}

Coroutine<> check_accept(Log* out) {
  Listener listener(Address("127.0.0.1", 0));
  const auto accept = [&listener] { return accept_one(&listener); };
  co_await keep_contract(out, accept);
}

Coroutine<> post_stream(UvReactor* reactor) {
  Connection ends = co_await make_connection();
  const std::shared_ptr<Stream> kept = std::move(ends.one);
  ends.other.reset();
  co_await delay(1ms);  // nothing is being closed any more
  reactor->post([kept] {});
}

}  // namespace

TEST_CASE_METHOD(UvWorld, "a port where somebody listens already is an error", "[step09]") {
  scheduler.run(listen_twice(&log));
  REQUIRE(log == Log{"second: EADDRINUSE"});
}

TEST_CASE_METHOD(UvWorld, "a listener that is closed tells all who wait for it", "[step09]") {
  scheduler.run(close_while_waiting(&log));
  REQUIRE(log == Log{"1: ECANCELED", "2: ECANCELED", "later: ECANCELED"});
}

TEST_CASE_METHOD(UvWorld, "who has come before a listener is closed is served", "[step09]") {
  int served = 0;
  scheduler.run(close_with_arrived(&served, 10));
  REQUIRE(served == 10);
}

TEST_CASE_METHOD(UvWorld, "a listener takes 65 connections that nobody asks for and no more",
                 "[step09]") {
  int served = 0;
  scheduler.run(close_with_arrived(&served, 100));
  REQUIRE(served == 65);
}

TEST_CASE_METHOD(UvWorld, "a listener may be closed after its scheduler has stopped", "[step09]") {
  scheduler.spawn(close_at_the_end(GENERATE(1, 66)));
  REQUIRE_THROWS_AS(scheduler.run(), Stopped);
}

TEST_CASE_METHOD(UvWorld, "a listener that is closed keeps nobody waiting", "[step09]") {
  scheduler.run(be_ready(&log));
  REQUIRE(log == Log{"not yet", "ready"});
}

TEST_CASE_METHOD(UvWorld, "connections are given in the order in which they came", "[step09]") {
  scheduler.run(connect_in_order(&log));
  REQUIRE(log == Log{"\"1\"", "\"2\"", "\"3\""});
}

TEST_CASE_METHOD(UvWorld, "200 connections come at once", "[step09]") {
  scheduler.run(connect_many(&log, 200));
  REQUIRE(log == Log(200, "\"hello\""));
}

TEST_CASE_METHOD(UvWorld, "without a free descriptor a client is sent away and the next one served",
                 "[step09]") {
  scheduler.run(run_out_of_descriptors(&log));
  REQUIRE(log == Log{"sent away", "\"hello\"", "server: done"});
}

TEST_CASE_METHOD(UvWorld, "a wait for a connection is cancelled, ended in time, and destroyed",
                 "[step09]") {
  check_contract(this, check_accept(&log));
}

TEST_CASE_METHOD(UvWorld, "what was posted and never runs may own a stream", "[step09]") {
  scheduler.run(post_stream(&reactor));
  REQUIRE(log.empty());
}
