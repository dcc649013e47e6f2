// Errors of sockets, which are exceptions from this step on.

#include <any>
#include <optional>
#include <string>
#include <system_error>
#include <variant>

#include "any_catch2.hpp"
#include "calls.hpp"
#include "catching.hpp"
#include "listen.hpp"
#include "pair.hpp"
#include "peer.hpp"
#include "readline.hpp"
#include "script.hpp"

TEST_CASE("read throws when the peer has reset the connection", "[step07]") {
  const Socket listener = listen_on(0);
  Peer peer(port_of(listener));
  const std::optional<Socket> client = listener.accept();
  peer.reset();
  REQUIRE_THROWS_WITH(client->read(10), "read: Connection reset by peer");
}

TEST_CASE("write throws when the peer has closed the connection", "[step07]") {
  const Socket here = connected_pair().here;
  REQUIRE_THROWS_WITH(here.write("x"), "write: Broken pipe");
}

TEST_CASE("accept throws when the socket does not listen", "[step07]") {
  const Pair pair = connected_pair();
  REQUIRE_THROWS_AS(pair.here.accept(), std::system_error);
}

TEST_CASE("the peer reads end of file after shutdown_write and can still write", "[step07]") {
  const Pair pair = connected_pair();
  pair.here.shutdown_write();
  REQUIRE(pair.there.read(10) == "");
  pair.there.write("x");
  REQUIRE(pair.here.read(10) == "x");
}

TEST_CASE("an error of CoSocket::write is thrown into the caller", "[step07]") {
  Log log;
  const CoSocket here(connected_pair().here);
  Scheduler scheduler;
  scheduler.new_task(catching(log, {say(log, "writes", here.write("x")), say(log, "ends")}));
  scheduler.run();
  REQUIRE(log == Log{"writes", "caught write: Broken pipe", "ends"});
}

TEST_CASE("readline accepts a line of one million bytes and no longer line", "[step07]") {
  ReadLine body(CoSocket(connected_pair().here));
  body.current();
  body.send(std::string(longest_line - 1, 'x'));  // as if they had arrived one by one
  SECTION("a line of one million bytes") {
    const auto line = std::get<ReturnValue>(*body.send(std::string("\n")));
    REQUIRE(std::any_cast<std::string>(line.value).size() == longest_line);
  }
  SECTION("a longer line") {
    body.send(std::string("x"));
    REQUIRE_THROWS_WITH(body.send(std::string("\n")), "Message too long");
  }
}
