#include <sys/socket.h>

#include <functional>
#include <stdexcept>
#include <string>
#include <utility>

#include "coop/uv/udp.hpp"
#include "uv_world.hpp"

using namespace coop;

namespace {

const Address here("127.0.0.1", 0);

Coroutine<> send_once(Udp* udp, std::string text, Address to) {
  co_await udp->send(std::move(text), to);
}

Coroutine<> receive_once(Udp* udp, Log* log) {
  const Datagram datagram = co_await udp->receive();
  log->push_back(datagram.data);
  CHECK(datagram.from.numbers() == "127.0.0.1");
}

/// The descriptor of the socket with that port.
int descriptor_of(const Udp& udp) {
  for (int each = 0; each < 1000; ++each) {
    sockaddr_storage own{};
    socklen_t size = sizeof own;
    auto* const address = reinterpret_cast<sockaddr*>(&own);
    if (::getsockname(each, address, &size) < 0 || address->sa_family != AF_INET) continue;
    if (Address(address).port() == udp.port()) return each;
  }
  throw std::runtime_error("no such socket");
}

/// As another process that has the socket open, too: takes the first byte before libuv does.
void steal(uv_async_t* thief) {
  char byte = 0;
  CHECK(::recv(*static_cast<int*>(thief->data), &byte, 1, MSG_DONTWAIT) == 1);
}

Coroutine<> receiving_contract(Log* log) {
  Udp udp;
  udp.bind(here);
  std::function<Coroutine<>()> waits = [&] { return receive_once(&udp, log); };
  co_await keep_contract(log, waits);
}

/// The task that owns the socket is older than the one that waits, and is destroyed first.
Coroutine<> wait_in_a_child(Log* log) {
  Udp udp;
  udp.bind(here);
  spawn(receive_once(&udp, log));
  co_await suspend();
  co_await stop();
}

Coroutine<> bind_twice() {
  Udp one, two;
  one.bind(here);
  two.bind(Address("127.0.0.1", one.port()));
  co_return;
}

}  // namespace

TEST_CASE_METHOD(UvWorld, "a datagram says from whom it is and gets an answer", "[step09]") {
  scheduler.run([](Log* out) -> Coroutine<> {
    Udp server, client;
    server.bind(here);
    co_await client.send("question", Address("127.0.0.1", server.port()));
    Datagram asked = co_await server.receive();
    co_await server.send(asked.data + "?", asked.from);
    const Datagram answer = co_await client.receive();
    out->push_back(answer.data);
    out->push_back(answer.from.numbers());
    CHECK(asked.from.port() == client.port());
    CHECK(answer.from.port() == server.port());
  }(&log));
  REQUIRE(log == Log{"question?", "127.0.0.1"});
}

TEST_CASE_METHOD(UvWorld, "receiving from UDP keeps the contract of what can be waited for",
                 "[step09]") {
  check_contract(this, receiving_contract(&log));
}

TEST_CASE_METHOD(UvWorld, "a UDP socket is destroyed before the task that waits for it",
                 "[step09]") {
  REQUIRE_THROWS_AS(scheduler.run(wait_in_a_child(&log)), Stopped);
}

TEST_CASE_METHOD(UvWorld, "datagrams that come while nobody waits stay apart and in order",
                 "[step09]") {
  scheduler.run([](Log* out) -> Coroutine<> {
    Udp udp, other;
    udp.bind(here);
    const Address to("127.0.0.1", udp.port());
    co_await udp.send("one", to);
    co_await other.send("", to);
    co_await udp.send("three", to);
    for (Udp* const sender : {&udp, &other, &udp}) {
      const Datagram datagram = co_await udp.receive();
      out->push_back(datagram.data);
      CHECK(datagram.from.port() == sender->port());
    }
    std::string large(60000, 'x');
    co_await udp.send(large, to);
    const Datagram datagram = co_await udp.receive();
    CHECK(datagram.data == large);
  }(&log));
  REQUIRE(log == Log{"one", "", "three"});
}

TEST_CASE_METHOD(UvWorld, "a datagram wakes the task that waits for it", "[step09]") {
  scheduler.run([](Log* out) -> Coroutine<> {
    Udp udp;
    udp.bind(here);
    const Handle<void> task = spawn(receive_once(&udp, out));
    co_await suspend();
    co_await outcome(out, "second", receive_once(&udp, out));
    co_await udp.send("at last", Address("127.0.0.1", udp.port()));
    co_await task;
  }(&log));
  REQUIRE(log == Log{"second: Somebody else is receiving from this socket", "at last"});
  REQUIRE_FALSE(reactor.active());
}

TEST_CASE_METHOD(UvWorld, "closing a UDP socket wakes whoever waits", "[step09]") {
  scheduler.run([](Log* out) -> Coroutine<> {
    Udp udp;
    udp.bind(here);
    const Address to("127.0.0.1", udp.port());
    spawn(outcome(out, "receive", receive_once(&udp, out)));
    spawn(outcome(out, "send", send_once(&udp, "x", to)));
    co_await suspend();
    udp.close();
    udp.close();
    co_await outcome(out, "late receive", receive_once(&udp, out));
    co_await outcome(out, "late send", send_once(&udp, "x", to));
    CHECK_THROWS_AS(udp.port(), UvError);
    CHECK_THROWS_AS(udp.bind(here), UvError);
  }(&log));
  REQUIRE(log ==
          Log{"late receive: EBADF", "late send: EBADF", "receive: ECANCELED", "send: done"});
}

TEST_CASE_METHOD(UvWorld, "a UDP socket may be closed again when whoever waited has gone",
                 "[step09]") {
  scheduler.run([](Log* out) -> Coroutine<> {
    Udp udp;
    udp.bind(here);
    const Handle<void> receiving = spawn(outcome(out, "receive", receive_once(&udp, out)));
    co_await suspend();
    udp.close();
    co_await receiving;
    udp.close();
  }(&log));
  REQUIRE(log == Log{"receive: ECANCELED"});
}

TEST_CASE_METHOD(UvWorld, "what is wrong with a datagram is an error with its name", "[step09]") {
  scheduler.run([](Log* out) -> Coroutine<> {
    Udp udp;
    const Address to("127.0.0.1", 9);
    co_await report(out, "too large", send_once(&udp, std::string(70000, 'x'), to));
    co_await outcome(out, "nowhere", send_once(&udp, "x", Address("127.0.0.1", 0)));
    co_await outcome(out, "taken", bind_twice());
    Udp none;
    CHECK_THROWS_AS(none.port(), UvError);
  }(&log));
  REQUIRE(log == Log{"too large: cannot send to 127.0.0.1:9: message too long (EMSGSIZE)",
                     "nowhere: EINVAL", "taken: EADDRINUSE"});
}

TEST_CASE_METHOD(UvWorld, "a task that sends is cancelled and the datagram still goes",
                 "[step09]") {
  scheduler.run([](Log* out) -> Coroutine<> {
    Udp udp;
    udp.bind(here);
    const Handle<void> task =
        spawn(outcome(out, "send", send_once(&udp, "x", Address("127.0.0.1", udp.port()))));
    co_await suspend();
    task->cancel();
    co_await task;
    co_await receive_once(&udp, out);
  }(&log));
  REQUIRE(log == Log{"send: cancelled: cancelled", "x"});
}

TEST_CASE_METHOD(UvWorld, "a datagram that somebody else has taken is waited for on", "[step09]") {
  scheduler.run([](Log* out, uv_loop_t* loop) -> Coroutine<> {
    Udp udp;
    udp.bind(here);
    int descriptor = descriptor_of(udp);
    const auto thief = make_handle<uv_async_t>("no thief", uv_async_init, loop, steal);
    thief->data = &descriptor;
    const Handle<void> task = spawn(receive_once(&udp, out));
    co_await suspend();
    uv_async_send(thief.get());  // libuv looks at it first
    co_await udp.send("stolen", Address("127.0.0.1", udp.port()));
    co_await udp.send("left", Address("127.0.0.1", udp.port()));
    co_await task;
  }(&log, reactor.loop()));
  REQUIRE(log == Log{"left"});
}

TEST_CASE_METHOD(UvWorld, "an error of a UDP socket comes out of receive()", "[step09]") {
  scheduler.run([](Log* out) -> Coroutine<> {
    Udp udp;
    udp.bind(here);
    const int descriptor = descriptor_of(udp);
    const Address nobody("127.0.0.1", 9);
    CHECK(::connect(descriptor, nobody.get(), sizeof(sockaddr_in)) == 0);
    const Handle<void> task = spawn(outcome(out, "receive", receive_once(&udp, out)));
    co_await suspend();
    CHECK(::send(descriptor, "x", 1, 0) == 1);
    co_await task;
  }(&log));
  REQUIRE(log == Log{"receive: ECONNREFUSED"});
}
