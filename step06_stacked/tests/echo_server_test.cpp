// The echo server, as its clients see it.

#include <csignal>
#include <string>

#include "any_catch2.hpp"
#include "peer.hpp"
#include "server_process.hpp"

namespace {

/// Returns the response to a client that sends `text` and ends its side.
std::string echo(const ServerProcess& server, const std::string& text) {
  Peer client(server.port());
  client.send(text);
  client.end();
  return client.read();
}

}  // namespace

TEST_CASE("echo_server returns every line with a prefix", "[step06]") {
  const ServerProcess server("echo_server");
  REQUIRE(echo(server, "hello\n") == "GOT:hello\n");
  REQUIRE(echo(server, "one\ntwo\nthree\n") == "GOT:one\nGOT:two\nGOT:three\n");
  REQUIRE(echo(server, "\n") == "GOT:\n");
  REQUIRE(echo(server, "no newline") == "GOT:no newline");
  REQUIRE(echo(server, "") == "");
}

TEST_CASE("echo_server returns a line of 200 001 bytes", "[step06]") {
  const ServerProcess server("echo_server");
  const std::string line = std::string(200000, 'x') + '\n';
  REQUIRE(echo(server, line) == "GOT:" + line);
}

TEST_CASE("echo_server answers two clients whose lines arrive alternately", "[step06]") {
  const ServerProcess server("echo_server");
  Peer one(server.port()), two(server.port());
  one.send("half a li");
  two.send("two\n");
  REQUIRE(two.read(8) == "GOT:two\n");
  one.send("ne\n");
  REQUIRE(one.read(16) == "GOT:half a line\n");
  two.send("two again\n");
  REQUIRE(two.read(14) == "GOT:two again\n");
}

TEST_CASE("echo_server answers other clients when a client has closed in the middle of a line",
          "[step06]") {
  const ServerProcess server("echo_server");
  Peer quiet(server.port());
  Peer(server.port()).send("half a li");
  REQUIRE(echo(server, "hello\n") == "GOT:hello\n");
  quiet.send("hello\n");
  REQUIRE(quiet.read(10) == "GOT:hello\n");
}

TEST_CASE("echo_server prints a line when a client connects and when it has closed", "[step06]") {
  const ServerProcess server("echo_server");
  REQUIRE(echo(server, "hello\n") == "GOT:hello\n");
  const std::string line = server.read_line(), start = "Got connection from  ('127.0.0.1', ";
  const int port = std::stoi(line.substr(start.size()));
  REQUIRE(line == start + std::to_string(port) + ")");
  REQUIRE(server.read_line() == "Client closed");
}

TEST_CASE("echo_server serves clients when the reader of its stdout has ended", "[step06]") {
  ServerProcess server("echo_server");
  server.stop_reading();
  REQUIRE(echo(server, "hello\n") == "GOT:hello\n");
  REQUIRE(echo(server, "hello\n") == "GOT:hello\n");
}

TEST_CASE("echo_server serves clients when its stdout is closed", "[step06]") {
  const ReservedPort port;
  const ServerProcess server("echo_server", "exec >&-", port);
  REQUIRE(echo(server, "hello\n") == "GOT:hello\n");
}
