// The echo server, as its clients see it.
#include <string>
#include <vector>

#include "any_catch2.hpp"
#include "folders.hpp"
#include "peer.hpp"
#include "server_process.hpp"

namespace {

struct EchoServer : ServerProcess {
  EchoServer() : ServerProcess(PROGRAMS "/echo_server", {"0"}), port(read_port()) {
    REQUIRE(port > 0);
  }

  const int port;
};

/// What comes back for `text` from a client that ends its side after it.
std::string echo(int port, const std::string& text) {
  Peer client(port);
  client.send(text);
  client.end();
  return client.read();
}

}  // namespace

TEST_CASE("each line comes back with GOT: before it", "[step09]") {
  EchoServer server;
  REQUIRE(echo(server.port, "hello\n") == "GOT:hello\n");
  REQUIRE(echo(server.port, "one\ntwo\nthree\n") == "GOT:one\nGOT:two\nGOT:three\n");
  REQUIRE(echo(server.port, "\n") == "GOT:\n");
  REQUIRE(echo(server.port, "no newline") == "GOT:no newline");
  REQUIRE(echo(server.port, "").empty());
  server.signal(SIGINT);
  REQUIRE(server.wait() == 0);
}

TEST_CASE("a line of 200 000 bytes comes back whole", "[step09]") {
  EchoServer server;
  const std::string line = std::string(200000, 'x') + "\n";
  REQUIRE(echo(server.port, line) == "GOT:" + line);
}

TEST_CASE("a line that comes byte by byte is answered when it ends", "[step09]") {
  EchoServer server;
  Peer client(server.port);
  for (const char letter : std::string("hello\n")) client.send({letter});
  REQUIRE(client.read(10) == "GOT:hello\n");
  client.send("again\n");
  REQUIRE(client.read(10) == "GOT:again\n");
}

TEST_CASE("two clients take turns, and neither waits for the other", "[step09]") {
  EchoServer server;
  Peer one(server.port), two(server.port);
  one.send("half a li");
  two.send("two\n");
  REQUIRE(two.read(8) == "GOT:two\n");
  one.send("ne\n");
  REQUIRE(one.read(16) == "GOT:half a line\n");
}

TEST_CASE("a reset in the middle of a line ends that client only", "[step09]") {
  EchoServer server;
  Peer rude(server.port), quiet(server.port);
  rude.send("half a li");
  rude.reset();
  REQUIRE(echo(server.port, "hello\n") == "GOT:hello\n");
  quiet.send("still here\n");
  REQUIRE(quiet.read(15) == "GOT:still here\n");
  server.signal(SIGTERM);
  REQUIRE(server.wait() == 0);
  REQUIRE(quiet.read().empty());
}

TEST_CASE("a client that sends without reading does not stop the others", "[step09]") {
  EchoServer server;
  Peer greedy(server.port);
  const std::string line = std::string(999, 'x') + "\n";
  for (int i = 0; i < 1000; ++i) greedy.send(line);
  REQUIRE(echo(server.port, "hello\n") == "GOT:hello\n");
  greedy.end();
  REQUIRE(greedy.read().size() == 1000 * (line.size() + 4));
}

TEST_CASE("lines that are there when the signal comes are answered, and all answers arrive",
          "[step09]") {
  EchoServer server;
  Peer client(server.port);
  client.send("first\n");
  REQUIRE(client.read(10) == "GOT:first\n");
  server.signal(SIGSTOP);
  for (int i = 0; i < 10; ++i) client.send("line\n");
  server.signal(SIGTERM);
  server.signal(SIGCONT);
  std::string answers;
  for (int i = 0; i < 10; ++i) answers += "GOT:line\n";
  REQUIRE(client.read() == answers);
  REQUIRE(client.error() == 0);
  client.close();
  REQUIRE(server.wait() == 0);
}

TEST_CASE("a slow reader gets what was written before the end", "[step09]") {
  EchoServer server;
  Peer client(server.port, 4096);
  server.signal(SIGSTOP);
  const std::string line = std::string(60000, 'x') + "\n";
  for (int i = 0; i < 10; ++i) client.send(line);
  server.signal(SIGTERM);
  server.signal(SIGCONT);
  const std::string got = client.read();
  REQUIRE(client.error() == 0);
  REQUIRE(got.size() >= line.size() + 4);
  REQUIRE(got.size() % (line.size() + 4) == 0);
}

TEST_CASE("who is being answered when the signal comes gets the answer, and then the end",
          "[step09]") {
  EchoServer server;
  Peer client(server.port, 4096), silent(server.port);
  const std::string line = std::string(8 << 20, 'x') + "\n";  // more than fits on the way
  client.send(line);
  server.wait_until_asleep();
  server.signal(SIGTERM);
  REQUIRE(silent.read().empty());  // so it has begun to end
  REQUIRE(client.read().size() == line.size() + 4);
  REQUIRE(client.error() == 0);
  client.close();
  REQUIRE(server.wait() == 0);
}

TEST_CASE("an echo client lives on when nobody reads what the server prints", "[step09]") {
  EchoServer server;
  server.close_output();
  REQUIRE(echo(server.port, "hello\n") == "GOT:hello\n");
  REQUIRE(echo(server.port, "hello\n") == "GOT:hello\n");
}

TEST_CASE("what the server says of its clients", "[step09]") {
  EchoServer server;
  Peer client(server.port);
  const std::string line = server.output_line();
  REQUIRE(line.find("Got connection from  ('127.0.0.1', ") == 0);
  REQUIRE(line.back() == ')');
  client.close();
  REQUIRE(server.output_line() == "Client closed");
}
