#include "socket.hpp"

#include <netinet/in.h>
#include <sys/socket.h>

#include <cstddef>
#include <optional>
#include <string>

#include "any_catch2.hpp"
#include "listen.hpp"
#include "pair.hpp"
#include "peer.hpp"

TEST_CASE("read returns at most as many bytes as it was called with", "[step05]") {
  const Pair pair = connected_pair();
  pair.there.write("hello");
  REQUIRE(pair.here.read(4) == "hell");
  REQUIRE(pair.here.read(4) == "o");
}

TEST_CASE("read returns at most 8192 bytes at once", "[step05]") {
  const Pair pair = connected_pair();
  pair.there.write(std::string(8193, 'x'));
  REQUIRE(pair.here.read(10000) == std::string(8192, 'x'));
  REQUIRE(pair.here.read(10000) == "x");
}

TEST_CASE("read returns an empty string at end of file", "[step05]") {
  const Socket here = connected_pair().here;
  REQUIRE(here.read(4) == "");
}

TEST_CASE("read returns nullopt when it would block", "[step05]") {
  const Pair pair = connected_pair();
  REQUIRE(pair.here.read(4) == std::nullopt);
}

TEST_CASE("write returns the size of the part that was written", "[step05]") {
  const Pair pair = connected_pair();
  const std::string data(10000000, 'x');
  const std::optional<std::size_t> size = pair.here.write(data);
  REQUIRE(size > 0);
  REQUIRE(size < data.size());
  REQUIRE(drain(pair.there) == *size);
}

TEST_CASE("write returns nullopt when it would block", "[step05]") {
  const Pair pair = connected_pair();
  fill(pair.here);
  REQUIRE(pair.here.write("x") == std::nullopt);
}

TEST_CASE("accept returns nullopt when no client has connected", "[step05]") {
  REQUIRE(listen_on(0).accept() == std::nullopt);
}

TEST_CASE("accept returns a socket that does not block", "[step05]") {
  const Socket listener = listen_on(0);
  Peer peer(port_of(listener));
  const std::optional<Socket> client = listener.accept();
  REQUIRE(client->read(1) == std::nullopt);
  client->write("hello");
  REQUIRE(peer.read(5) == "hello");
}

TEST_CASE("a socket is closed when its last copy is destroyed", "[step05]") {
  const Socket there = [] {
    const Pair pair = connected_pair();
    std::optional<Socket> first = pair.here, second = first;
    first.reset();
    REQUIRE(second->write("x") == 1);
    return pair.there;
  }();
  REQUIRE(there.read(4) == "x");
  REQUIRE(there.read(4) == "");
}

TEST_CASE("a taken port is an exception that contains the port", "[step05]") {
  const Socket listener = listen_on(0);
  const std::string port = std::to_string(port_of(listener));
  REQUIRE_THROWS_WITH(listen_on(port_of(listener)),
                      "Cannot listen on port " + port + ": Address already in use");
}

TEST_CASE("a listener can be reached from this machine only", "[step05]") {
  const Socket listener = listen_on(0);
  sockaddr_in address{};
  socklen_t size = sizeof address;
  REQUIRE(::getsockname(listener.fd(), reinterpret_cast<sockaddr*>(&address), &size) == 0);
  REQUIRE(ntohl(address.sin_addr.s_addr) == INADDR_LOOPBACK);
}

TEST_CASE("a port can be listened on again when an old connection has been closed", "[step05]") {
  std::optional<Socket> listener = listen_on(0);
  const int port = port_of(*listener);
  Peer peer(port);
  listener->accept();  // and closes it first, so the connection stays in the state TIME_WAIT
  peer.read();
  peer.close();
  listener.reset();
  REQUIRE(port_of(listen_on(port)) == port);
}
