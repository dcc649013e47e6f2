// The promises of the servers that are new in this step. The tests of step 7 check the others.

#include <csignal>
#include <cstddef>
#include <string>
#include <vector>

#include "any_catch2.hpp"
#include "peer.hpp"
#include "program.hpp"
#include "server_process.hpp"

namespace {

/// Returns true if echo_server answers a line of this client.
bool echoes(Peer& client) {
  return client.send("line\n") && client.read(9) == "GOT:line\n";
}

/// Returns true if echo_server answers a new client. By then, it has accepted all earlier clients
/// and read what they have sent.
bool echoes(const ServerProcess& server) {
  Peer client(server.port());
  return echoes(client);
}

/// Returns a line of different numbers, so that a piece that is sent twice is found.
std::string long_line(std::size_t size) {
  std::string line;
  while (line.size() < size) line += std::to_string(line.size()) + " ";
  return line + "\n";
}

}  // namespace

TEST_CASE("SIGTERM closes an idle connection at once and leaves time to finish a line",
          "[step09]") {
  ServerProcess server("echo_server");
  Peer idle(server.port()), busy(server.port());
  REQUIRE(echoes(idle));
  busy.send("half a li");
  REQUIRE(echoes(server));
  server.signal(SIGTERM);
  REQUIRE(idle.read() == "");
  REQUIRE(idle.error() == 0);
  busy.send("ne\n");
  REQUIRE(busy.read() == "GOT:half a line\n");
  REQUIRE(busy.error() == 0);
  REQUIRE(server.wait() == 0);
}

TEST_CASE("SIGTERM leaves time to send the first line", "[step09]") {
  ServerProcess server("echo_server");
  Peer idle(server.port()), silent(server.port());
  REQUIRE(echoes(idle));
  REQUIRE(echoes(server));
  server.signal(SIGTERM);
  REQUIRE(idle.read() == "");  // by now, the server has received the signal
  REQUIRE(echoes(silent));
  REQUIRE(silent.read() == "");
  REQUIRE(silent.error() == 0);
  REQUIRE(server.wait() == 0);
}

TEST_CASE("echo_server echoes the lines that have arrived before SIGTERM", "[step09]") {
  ServerProcess server("echo_server");
  Peer client(server.port());
  client.send("first\n");
  REQUIRE(client.read(10) == "GOT:first\n");
  server.signal(SIGSTOP);
  std::string echo;
  for (int i = 0; i < 10; ++i) {
    client.send("line\n");
    echo += "GOT:line\n";
  }
  server.signal(SIGTERM);
  server.signal(SIGCONT);
  REQUIRE(client.read() == echo);
  REQUIRE(client.error() == 0);
  REQUIRE(server.wait() == 0);
}

TEST_CASE("web_server answers a request whose lines end with a bare newline", "[step09]") {
  const ServerProcess server("web_server");
  Peer client(server.port());
  client.send("GET / HTTP/1.1\nHost: localhost\n\n");
  REQUIRE(client.read() == response_to("GET / HTTP/1.1\nHost: localhost\n\n"));
}

TEST_CASE("web_server serves 300 clients that are in the backlog when SIGTERM arrives",
          "[step09]") {
  ServerProcess server("web_server");
  server.signal(SIGSTOP);
  std::vector<Peer> clients;
  for (int i = 0; i < 300; ++i) {
    clients.emplace_back(server.port());
    REQUIRE(clients.back().send(hello));
  }
  server.signal(SIGTERM);
  server.signal(SIGCONT);
  for (Peer& client : clients) REQUIRE(client.read() == response_to(hello));
  REQUIRE(server.wait() == 0);
}

TEST_CASE("SIGTERM leaves time to read a long response but ends a server whose client does not",
          "[step09]") {
  ServerProcess server("echo_server");
  const std::string line = long_line(8 << 20);  // more than all buffers together
  Peer idle(server.port()), reading(server.port()), deaf(server.port());
  REQUIRE(echoes(idle));
  REQUIRE(reading.send(line));
  REQUIRE(deaf.send(line));
  REQUIRE(echoes(server));
  server.signal(SIGTERM);
  REQUIRE(idle.read() == "");  // by now, the server has received the signal
  const bool got_all = reading.read() == "GOT:" + line;
  REQUIRE(got_all);
  REQUIRE(reading.error() == 0);
  REQUIRE(server.wait() == 0);
}

TEST_CASE("echo_server prints a line when it has lost a client", "[step09]") {
  const ServerProcess server("echo_server");
  Peer client(server.port());
  client.send("hello\nhalf a li");
  REQUIRE(client.read(10) == "GOT:hello\n");
  client.reset();
  REQUIRE(server.read_line().substr(0, 20) == "Got connection from ");
  REQUIRE(server.read_line() == "Client lost: cannot read: connection reset by peer (ECONNRESET)");
}

TEST_CASE("a server prints one line and exits with status 1 when its port is taken", "[step09]") {
  const ServerProcess first("web_server");
  const std::string port = std::to_string(first.port());
  REQUIRE(output_of("./web_server " + port + " 2>&1", 1) ==
          "cannot listen on 127.0.0.1:" + port +
              ": address already in use (EADDRINUSE); try another port, for example: "
              "./web_server 0\n");
}

TEST_CASE("a server prints its usage and exits with status 2 when its argument is not a port",
          "[step09]") {
  for (const std::string arguments : {"65536", "-1", "80x", "''", "8000 8001"}) {
    REQUIRE(output_of("./web_server " + arguments + " 2>&1", 2) ==
            "usage: ./web_server [PORT], a number from 0 to 65535\n");
  }
}
