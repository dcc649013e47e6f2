// Facts that a later step changes.

#include <any>
#include <optional>
#include <stdexcept>
#include <vector>

#include "any_catch2.hpp"
#include "calls.hpp"
#include "co_socket.hpp"
#include "listen.hpp"
#include "peer.hpp"
#include "process.hpp"
#include "program.hpp"
#include "script.hpp"

TEST_CASE("an exception in a callee propagates out of run and a second run continues", "[step06]") {
  Log log;
  Scheduler scheduler;
  const Call fails =
      call({[](Value) -> std::optional<Yielded> { throw std::runtime_error("from the callee"); }});
  scheduler.new_task(script({say(log, "a", fails), say(log, "never")}));
  scheduler.new_task(script({say(log, "b1"), say(log, "b2")}));
  REQUIRE_THROWS_WITH(scheduler.run(), "from the callee");
  scheduler.run();
  REQUIRE(log == Log{"a", "b1", "b2"});
}

TEST_CASE("uncaught prints its expected output", "[step06]") {
  check_program("uncaught");
}

TEST_CASE("CoSocket::accept waits for a client and returns its socket", "[step06]") {
  Log log;
  const CoSocket listener(listen_on(0));
  std::optional<Peer> peer;
  Scheduler scheduler;
  scheduler.new_task(script({say(log, "a", listener.accept()), [&](const Value& sent) {
                               log.push_back("a accepted");
                               return CoSocket(std::any_cast<Socket>(sent)).write("hello");
                             }}));
  scheduler.new_task(script({say(log, "b"),
                             [&](Value) {
                               peer.emplace(port_of(listener.socket()));
                               return Nothing{};
                             },
                             say(log, "b continues")}));
  scheduler.run();
  REQUIRE(log == Log{"a", "b", "b continues", "a accepted"});
  REQUIRE(peer->read() == "hello");
}

TEST_CASE("two tasks can accept clients of one listener", "[step06]") {
  Log log;
  const CoSocket listener(listen_on(0));
  std::vector<Peer> peers;
  Scheduler scheduler;
  scheduler.new_task(script({say(log, "1", listener.accept()), say(log, "1 accepted")}));
  scheduler.new_task(script({say(log, "2", listener.accept()), say(log, "2 accepted")}));
  const Script::Step connect = [&](Value) {
    peers.emplace_back(port_of(listener.socket()));
    return Nothing{};
  };
  scheduler.new_task(script({connect, pass(), pass(), say(log, "second client"), connect}));
  scheduler.run();
  REQUIRE(log == Log{"1", "2", "1 accepted", "second client", "2 accepted"});
}
