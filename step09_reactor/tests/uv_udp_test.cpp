#include <stdexcept>

#include "coop/uv/udp.hpp"
#include "uv_tcp.hpp"

using namespace coop;
using namespace std::chrono_literals;

namespace {

Coroutine<> send_once(Udp* udp, std::string text, Address to) {
  co_await udp->send(std::move(text), to);
}

Coroutine<> receive_once(Udp* udp, Log* log) {
  const Datagram datagram = co_await udp->receive();
  log->push_back(datagram.data);
}

Address address_of(const Udp& udp) {
  return Address("127.0.0.1", udp.port());
}

Coroutine<> bind_twice() {
  Udp one, two;
  one.bind(any_port);
  two.bind(address_of(one));
  co_return;
}

}  // namespace

TEST_CASE_METHOD(UvWorld, "a datagram names its sender and is answered", "[step09]") {
  scheduler.run([](Log* out) -> Coroutine<> {
    Udp server, client;
    server.bind(any_port);
    co_await client.send("question", address_of(server));
    const Datagram asked = co_await server.receive();
    co_await server.send(asked.data + "?", asked.from);
    const Datagram answer = co_await client.receive();
    out->push_back(answer.data);
    CHECK(answer.from.numbers() == "127.0.0.1");
    CHECK(asked.from.port() == client.port());
    CHECK(answer.from.port() == server.port());
  }(&log));
  REQUIRE(log == Log{"question?"});
}

TEST_CASE_METHOD(UvWorld, "datagrams that arrive while no task waits stay apart and in order",
                 "[step09]") {
  scheduler.run([](Log* out) -> Coroutine<> {
    Udp udp;
    udp.bind(any_port);
    co_await udp.send("one", address_of(udp));
    co_await udp.send("", address_of(udp));
    co_await udp.send(std::string(60000, 'x'), address_of(udp));
    co_await receive_once(&udp, out);
    co_await receive_once(&udp, out);
    co_await receive_once(&udp, out);
  }(&log));
  REQUIRE(log == Log{"one", "", std::string(60000, 'x')});
}

TEST_CASE_METHOD(UvWorld, "a UDP socket moves and has one receiver at a time", "[step09]") {
  scheduler.run([](Log* out) -> Coroutine<> {
    Udp first;
    first.bind(any_port);
    const Handle<void> task = spawn(receive_once(&first, out));
    co_await yield();
    Udp udp = std::move(first);
    co_await outcome(out, "second", receive_once(&udp, out));
    co_await udp.send("at last", address_of(udp));
    co_await task;
  }(&log));
  REQUIRE(log == Log{"second: Another task is reading here already", "at last"});
  REQUIRE_FALSE(reactor.active());
}

TEST_CASE_METHOD(UvWorld, "the tasks that wait for a UDP socket are woken when it is closed",
                 "[step09]") {
  scheduler.run([](Log* out) -> Coroutine<> {
    Udp udp;
    udp.bind(any_port);
    const Address to = address_of(udp);
    const Handle<void> receiving = spawn(outcome(out, "receive", receive_once(&udp, out)));
    const Handle<void> sending = spawn(outcome(out, "send", send_once(&udp, "x", to)));
    co_await yield();
    udp.close();
    udp.close();
    co_await receiving;
    co_await sending;
    co_await outcome(out, "late receive", receive_once(&udp, out));
    co_await outcome(out, "late send", send_once(&udp, "x", to));
    CHECK_THROWS_AS(udp.port(), UvError);
    CHECK_THROWS_AS(udp.bind(any_port), UvError);
  }(&log));
  REQUIRE(log ==
          Log{"receive: ECANCELED", "send: done", "late receive: EBADF", "late send: EBADF"});
}

TEST_CASE_METHOD(UvWorld, "a UDP socket that was moved from is closed", "[step09]") {
  scheduler.run([](Log* out) -> Coroutine<> {
    Udp from;
    const Udp udp = std::move(from);
    co_await outcome(out, "receive", receive_once(&from, out));
    co_await outcome(out, "send", send_once(&from, "x", any_port));
    CHECK_THROWS_AS(from.port(), UvError);
    CHECK_THROWS_AS(from.bind(any_port), UvError);
  }(&log));
  REQUIRE(log == Log{"receive: EBADF", "send: EBADF"});
}

TEST_CASE_METHOD(UvWorld, "a datagram that cannot be sent is an error", "[step09]") {
  scheduler.run([](Log* out) -> Coroutine<> {
    Udp udp;
    const Address to("127.0.0.1", 9);
    co_await report(out, "too large", send_once(&udp, std::string(70000, 'x'), to));
    co_await outcome(out, "nowhere", send_once(&udp, "x", any_port));
    co_await outcome(out, "taken", bind_twice());
  }(&log));
  REQUIRE(log == Log{"too large: cannot send to 127.0.0.1:9: message too long (EMSGSIZE)",
                     "nowhere: EINVAL", "taken: EADDRINUSE"});
}

TEST_CASE_METHOD(UvWorld, "a datagram is sent although its task is cancelled", "[step09]") {
  scheduler.run([](Log* out) -> Coroutine<> {
    Udp udp;
    udp.bind(any_port);
    const Handle<void> task = spawn(outcome(out, "send", send_once(&udp, "x", address_of(udp))));
    co_await yield();
    task->cancel();
    co_await task;
    co_await receive_once(&udp, out);
  }(&log));
  REQUIRE(log == Log{"send: cancelled: cancelled", "x"});
}
