#include <memory>
#include <stdexcept>
#include <vector>

#include "coop/uv/poll.hpp"
#include "uv_tcp.hpp"

using namespace coop;
using namespace std::chrono_literals;

namespace {

Coroutine<> listen(int port) {
  const Listener listener(Address("127.0.0.1", port));
  co_return;
}

Coroutine<> accept_and_greet(Listener* listener, std::string greeting) {
  Stream stream = co_await listener->accept();
  co_await stream.write(greeting);
}

Coroutine<> be_greeted(Log* out, std::vector<Address> addresses) {
  Stream stream = co_await connect(std::move(addresses));
  co_await read_one(out, &stream);
}

std::vector<Address> local(int port) {
  return {Address("127.0.0.1", port)};
}

Coroutine<> connect_times(std::vector<Stream>* clients, int port, int count) {
  for (int i = 0; i < count; ++i) {
    Stream client = co_await connect(Address("127.0.0.1", port));
    clients->push_back(std::move(client));
  }
}

/// A port that is bound, and where nothing listens.
struct SilentPort {
  SilentPort() {
    sockaddr_in own{};
    socklen_t size = sizeof own;
    auto* const address = reinterpret_cast<sockaddr*>(&own);
    REQUIRE(::bind(socket, any_port.get(), size) == 0);
    REQUIRE(::getsockname(socket, address, &size) == 0);
    port = Address(address).port();
  }
  SilentPort(const SilentPort&) = delete;
  ~SilentPort() { ::close(socket); }

  int socket = ::socket(AF_INET, SOCK_STREAM, 0);
  int port = 0;
};

/// How many of our descriptors a child process would get.
int for_children() {
  int count = 0;
  for (int i = 0; i < 1024; ++i) {
    const int flags = ::fcntl(i, F_GETFD);
    if (flags >= 0 && (flags & FD_CLOEXEC) == 0) ++count;
  }
  return count;
}

}  // namespace

TEST_CASE_METHOD(UvWorld, "a child process gets neither a listener nor its connections",
                 "[step09]") {
  scheduler.run([]() -> Coroutine<> {
    const int before = for_children();
    Listener listener(any_port);
    const Stream client = co_await connect(local(listener.port()));
    const Stream accepted = co_await listener.accept();
    CHECK(for_children() == before);
  }());
}

TEST_CASE_METHOD(UvWorld, "a port that is taken is an error", "[step09]") {
  scheduler.run([](Log* out) -> Coroutine<> {
    const Listener listener(any_port);
    co_await outcome(out, "second", listen(listener.port()));
  }(&log));
  REQUIRE(log == Log{"second: EADDRINUSE"});
}

TEST_CASE_METHOD(UvWorld, "a listener moves and wakes all who wait when it is closed", "[step09]") {
  scheduler.run([](Log* out) -> Coroutine<> {
    Listener first(any_port);
    const Handle<void> one = spawn(outcome(out, "1", accept_one(&first)));
    const Handle<void> two = spawn(outcome(out, "2", accept_one(&first)));
    co_await yield();
    Listener listener = std::move(first);
    listener.close();
    listener.close();
    co_await one;
    co_await two;
    co_await outcome(out, "later", accept_one(&listener));
  }(&log));
  REQUIRE(log == Log{"1: ECANCELED", "2: ECANCELED", "later: ECANCELED"});
}

TEST_CASE_METHOD(UvWorld, "a client of a cancelled accept is for the next one", "[step09]") {
  scheduler.run([](Log* out) -> Coroutine<> {
    const Ends pipe(::pipe);
    Listener listener(any_port);
    const Handle<void> cancelled = spawn(outcome(out, "cancelled", accept_one(&listener)));
    const Handle<void> other = spawn(outcome(out, "other", accept_one(&listener)));
    co_await yield();
    cancelled->cancel();
    Stream client = co_await connect(Address("127.0.0.1", listener.port()));
    co_await other;
    const Handle<void> alone = spawn(outcome(out, "alone", accept_one(&listener)));
    co_await yield();
    alone->cancel();
    co_await alone;
    client = co_await connect(Address("127.0.0.1", listener.port()));
    co_await writable(pipe.both[1]);  // meanwhile the listener hears of it, and no task waits
    co_await outcome(out, "later", accept_one(&listener));
    const Handle<void> again = spawn(outcome(out, "again", accept_one(&listener)));
    co_await yield();
    client = co_await connect(Address("127.0.0.1", listener.port()));
    co_await again;
  }(&log));
  REQUIRE(log == Log{"cancelled: cancelled: cancelled", "other: done",
                     "alone: cancelled: cancelled", "later: done", "again: done"});
}

TEST_CASE_METHOD(UvWorld, "a listener that is destroyed wakes all who wait", "[step09]") {
  scheduler.run([](Log* out) -> Coroutine<> {
    auto listener = std::make_unique<Listener>(any_port);
    const Handle<void> one = spawn(outcome(out, "1", accept_one(listener.get())));
    const Handle<void> two = spawn(outcome(out, "2", accept_one(listener.get())));
    co_await yield();
    listener.reset();
    co_await one;
    co_await two;
  }(&log));
  REQUIRE(log == Log{"1: ECANCELED", "2: ECANCELED"});
}

TEST_CASE_METHOD(UvWorld, "all connections that were made before a listener is closed are accepted",
                 "[step09]") {
  int served = 0;
  scheduler.run([](int* count) -> Coroutine<> {
    Listener listener(any_port);
    std::vector<Stream> clients;
    co_await connect_times(&clients, listener.port(), 200);
    co_await listener.accept();  // so libuv has taken some of them
    listener.close();
    try {
      for (*count = 1;; ++*count) {
        co_await listener.accept();
      }
    } catch (const UvError& error) {
      if (error.code() != UV_ECANCELED) throw;
    }
  }(&served));
  REQUIRE(served == 200);
}

TEST_CASE_METHOD(UvWorld, "each sixteenth accept ends the turn", "[step09]") {
  scheduler.run([](Log* out) -> Coroutine<> {
    Listener listener(any_port);
    std::vector<Stream> clients;
    co_await connect_times(&clients, listener.port(), 16);
    spawn(outcome(out, "other", listen(0)));
    for (int i = 0; i < 15; ++i) co_await listener.accept();
    co_await outcome(out, "fifteen", listen(0));
    co_await outcome(out, "accept", accept_one(&listener));
  }(&log));
  REQUIRE(log == Log{"fifteen: done", "other: done", "accept: done"});
}

TEST_CASE_METHOD(UvWorld, "clients are sent away when the process is out of file descriptors",
                 "[step09]") {
  scheduler.run([](Log* out) -> Coroutine<> {
    const Ends pipe(::pipe);
    co_await writable(pipe.both[1]);  // clang's sanitizer needs a descriptor for a type new to it
    Listener listener(any_port);
    const Address address("127.0.0.1", listener.port());
    int clients[2];
    for (int& client : clients) {
      client = ::socket(AF_INET, SOCK_STREAM, 0);
      ::connect(client, address.get(), sizeof(sockaddr_in));  // the backlog takes it
    }
    const Handle<void> accepting = spawn(accept_and_greet(&listener, "hello"));
    {
      const NoMoreDescriptors none;
      for (const int client : clients) {
        co_await readable(client);
      }
    }
    for (const int client : clients) {
      char byte = 0;
      out->push_back(::read(client, &byte, 1) <= 0 ? "sent away" : "served");
      ::close(client);
    }
    co_await be_greeted(out, local(listener.port()));
    co_await accepting;
  }(&log));
  REQUIRE(log == Log{"sent away", "sent away", "\"hello\""});
}

TEST_CASE_METHOD(UvWorld, "accept works with a timeout and its task records the line", "[step09]") {
  scheduler.run([](Log* out) -> Coroutine<> {
    Listener listener(any_port);
    Stream client = co_await with_timeout(1h, connect(Address("127.0.0.1", listener.port())));
    Stream server = co_await with_timeout(1h, listener.accept());
    co_await server.write("hello");
    co_await read_one(out, &client);
    const Handle<Stream> accepting = spawn(listener.accept());
    const unsigned line = __LINE__ - 1;
    co_await yield();
    CHECK(accepting->waiting()->where().line() == line);
    accepting->cancel();
  }(&log));
  REQUIRE(log == Log{"\"hello\""});
}

TEST_CASE_METHOD(UvWorld, "a listener that was moved from is closed", "[step09]") {
  scheduler.run([](Log* out) -> Coroutine<> {
    Listener from(any_port);
    const Listener listener = std::move(from);
    co_await outcome(out, "accept", accept_one(&from));
    CHECK_THROWS_AS(from.port(), UvError);
  }(&log));
  REQUIRE(log == Log{"accept: ECANCELED"});
}

TEST_CASE_METHOD(UvWorld, "connect takes the first address that accepts", "[step09]") {
  const SilentPort refuses;
  scheduler.run([](Log* out, int port) -> Coroutine<> {
    Listener listener(any_port);
    std::vector<Address> addresses{Address("127.0.0.1", port),
                                   Address("127.0.0.1", listener.port())};
    spawn(accept_and_greet(&listener, "hello"));
    co_await be_greeted(out, addresses);
    co_await outcome(out, "refused", be_greeted(out, local(port)));
    addresses.clear();
    co_await outcome(out, "none", be_greeted(out, addresses));
  }(&log, refuses.port));
  REQUIRE(log ==
          Log{"\"hello\"", "refused: ECONNREFUSED", "none: There is no address to connect to"});
}

TEST_CASE_METHOD(UvWorld, "connect finds the addresses of a host", "[step09]") {
  const SilentPort refuses;
  scheduler.run([](Log* out, int silent) -> Coroutine<> {
    Listener listener(any_port);
    for (const char* host : {"localhost", "127.0.0.1"}) {
      Stream client = co_await connect(host, listener.port());
      out->push_back(client.peer().numbers());
    }
    const auto connect_to = [](std::string host, int port) -> Coroutine<> {
      co_await connect(std::move(host), port);
    };
    co_await outcome(out, "refused", connect_to("localhost", silent));
    co_await outcome(out, "no port", connect_to("localhost", 65536));
  }(&log, refuses.port));
  REQUIRE(log == Log{"127.0.0.1", "127.0.0.1", "refused: ECONNREFUSED", "no port: EINVAL"});
}

TEST_CASE_METHOD(UvWorld, "a stream knows the address of its peer", "[step09]") {
  scheduler.run([](Log* out) -> Coroutine<> {
    Connection ends = co_await make_connection();
    out->push_back(ends.one.peer().numbers());
    reset(&ends.other);
    co_await ends.one.readable();
    CHECK_THROWS_AS(ends.one.peer(), UvError);
  }(&log));
  REQUIRE(log == Log{"127.0.0.1"});
}
