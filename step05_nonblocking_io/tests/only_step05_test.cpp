// Facts that a later step changes.

#include <csignal>
#include <optional>

#include "any_catch2.hpp"
#include "listen.hpp"
#include "peer.hpp"
#include "server_process.hpp"

TEST_CASE("a connection that the peer has reset looks like one that it has closed", "[step05]") {
  const Socket listener = listen_on(0);
  Peer peer(port_of(listener));
  const std::optional<Socket> client = listener.accept();
  peer.reset();
  REQUIRE(client->read(10) == "");
  REQUIRE(client->write("hello") == 5);
}

TEST_CASE("web_server answers the first part of a request that arrives in two parts", "[step05]") {
  const ServerProcess server("web_server");
  Peer client(server.port());
  client.send("GET / HT");
  REQUIRE(client.read() == response_to("GET / HT"));
}

TEST_CASE("SIGTERM ends web_server immediately", "[step05]") {
  ServerProcess server("web_server");
  Peer client(server.port());
  server.signal(SIGTERM);
  REQUIRE(server.wait() == -SIGTERM);
}
