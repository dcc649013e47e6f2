// The web server, as its clients see it.
#include <functional>
#include <string>
#include <vector>

#include "any_catch2.hpp"
#include "folders.hpp"
#include "peer.hpp"
#include "server_process.hpp"

namespace {

const char* const web_server = PROGRAMS "/web_server";
const std::string name = web_server;

std::string answer_to(const std::string& request) {
  const std::string message = "Received following request:\n\n" + request;
  return "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: " +
         std::to_string(message.size()) + "\r\nConnection: close\r\n\r\n" + message;
}

const std::string hello = "GET / HTTP/1.1\r\n\r\n";

/// Is a request answered?
bool serves(int port) {
  Peer client(port);
  return client.send(hello) && client.read() == answer_to(hello);
}

/// A server on a free port.
struct Server : ServerProcess {
  explicit Server(const std::function<void()>& prepare = [] {})
      : ServerProcess(web_server, {"0"}, prepare), port(read_port()) {
    REQUIRE(port > 0);
  }

  /// Ends the server by a signal, and checks its exit status.
  void stops_cleanly(int number = SIGTERM) {
    signal(number);
    REQUIRE(wait() == 0);
  }

  const int port;
};

}  // namespace

TEST_CASE("one request after the other, and several at once", "[step09]") {
  Server server;
  REQUIRE(serves(server.port));
  REQUIRE(serves(server.port));
  Peer one(server.port), two(server.port);
  two.send("GET /two\r\n\r\n");
  REQUIRE(two.read() == answer_to("GET /two\r\n\r\n"));
  one.send("GET /one\r\n\r\n");
  REQUIRE(one.read() == answer_to("GET /one\r\n\r\n"));
  one.close();
  two.close();
  server.stops_cleanly();
}

TEST_CASE("a client that says nothing holds up nobody, and is closed at the end", "[step09]") {
  Server server;
  Peer silent(server.port);
  REQUIRE(serves(server.port));
  server.stops_cleanly(SIGTERM);
  REQUIRE(silent.read().empty());
}

TEST_CASE("a request that comes in pieces is answered after the first", "[step09]") {
  Server server;
  Peer client(server.port);
  client.send("G");
  REQUIRE(client.read(answer_to("G").size()) == answer_to("G"));
  for (const char letter : std::string("ET / HTTP/1.1\r\n\r\n")) client.send({letter});
  client.end();
  REQUIRE(client.read().empty());
  REQUIRE(client.error() == 0);
}

TEST_CASE("a body that comes after its head is answered without a reset", "[step09]") {
  Server server;
  const std::string head = "POST / HTTP/1.1\r\nContent-Length: 4\r\n\r\n";
  Peer client(server.port);
  client.send(head);
  REQUIRE(client.read(answer_to(head).size()) == answer_to(head));
  client.send("body");
  client.end();
  REQUIRE(client.read().empty());
  REQUIRE(client.error() == 0);
}

TEST_CASE("a client that ends its side without a word is answered, too", "[step09]") {
  Server server;
  Peer client(server.port);
  client.end();
  REQUIRE(client.read() == answer_to(""));
}

TEST_CASE("a request longer than one read is answered without a reset", "[step09]") {
  Server server;
  const std::string request = "GET / HTTP/1.1\r\nX: " + std::string(20000, 'x');
  Peer client(server.port);
  client.send(request);
  REQUIRE(client.read() == answer_to(request.substr(0, 8192)));
  REQUIRE(client.error() == 0);
}

TEST_CASE("a client that never stops sending is closed", "[step09]") {
  Server server;
  Peer client(server.port);
  const std::string block(100000, 'x');
  int blocks = 0;
  while (blocks < 1000 && client.send(block)) ++blocks;
  REQUIRE(blocks < 1000);
  REQUIRE(serves(server.port));
}

TEST_CASE("clients that reset, before a word and after it, hurt nobody", "[step09]") {
  Server server;
  REQUIRE(serves(server.port));
  const int before = server.descriptors();
  for (int i = 0; i < 100; ++i) {
    Peer silent(server.port), talking(server.port), closing(server.port);
    talking.send(hello);
    silent.reset();
    talking.reset();
    closing.close();
  }
  REQUIRE(serves(server.port));
  REQUIRE(serves(server.port));  // whatever happened before the first one has been seen now
  REQUIRE(server.descriptors() <= before + 1);
  server.stops_cleanly();
}

TEST_CASE("a thousand clients that connect at once are all served", "[step09]") {
  Server server;
  server.signal(SIGSTOP);  // the system accepts the connections into the backlog
  std::vector<Peer> clients;
  for (int i = 0; i < 1000; ++i) {
    clients.emplace_back(server.port);
    REQUIRE(clients.back().connected());
    REQUIRE(clients.back().send(hello));
  }
  server.signal(SIGCONT);
  for (Peer& client : clients) REQUIRE(client.read() == answer_to(hello));
}

TEST_CASE("out of descriptors: libuv sends clients away, nobody spins, and it goes on",
          "[step09]") {
  Server server([] {
    const rlimit few{20, 20};
    ::setrlimit(RLIMIT_NOFILE, &few);
  });
  std::vector<Peer> clients;
  for (int i = 0; i < 40; ++i) clients.emplace_back(server.port);
  clients[0].send(hello);
  REQUIRE(clients[0].read() == answer_to(hello));
  REQUIRE(clients[39].read().empty());
  const long before = server.ticks();
  ::usleep(500000);
  REQUIRE(server.ticks() - before <= 5);
  clients.clear();
  server.wait_until_asleep();
  REQUIRE(serves(server.port));
  server.stops_cleanly();
}

TEST_CASE("without clients the server uses no processor time", "[step09]") {
  Server server;
  REQUIRE(serves(server.port));
  server.wait_until_asleep();
  const long before = server.ticks();
  ::usleep(1000000);
  REQUIRE(server.ticks() == before);
}

TEST_CASE("requests that are there when the signal comes are answered", "[step09]") {
  const int accepted = GENERATE(0, 399, 400);  // more than a listener takes in a few looks
  CAPTURE(accepted);
  Server server;
  std::vector<Peer> clients;
  for (int i = 0; i < accepted; ++i) clients.emplace_back(server.port);
  REQUIRE(serves(server.port));  // so those have been accepted
  server.signal(SIGSTOP);
  for (int i = accepted; i < 400; ++i) clients.emplace_back(server.port);
  for (Peer& client : clients) client.send(hello);
  server.signal(SIGTERM);
  server.signal(SIGCONT);
  for (Peer& client : clients) REQUIRE(client.read() == answer_to(hello));
  clients.clear();
  REQUIRE(server.wait() == 0);
}

TEST_CASE("the server lives on when nobody reads what it prints", "[step09]") {
  Server server([] { ::close(2); });
  server.close_output();
  REQUIRE(serves(server.port));
  server.stops_cleanly();
}

TEST_CASE("a server that gets too few descriptors to begin with prints one line", "[step09]") {
  ServerProcess server(web_server, {"0"}, [] {
    const rlimit few{4, 4};
    ::setrlimit(RLIMIT_NOFILE, &few);
  });
  REQUIRE(server.error_line() ==
          name + ": cannot make an event loop: too many open files (EMFILE)");
  REQUIRE(server.wait() == 1);
}

TEST_CASE("a server prints one line if its port is used by another program", "[step09]") {
  const Server first;
  const std::string port = std::to_string(first.port);
  ServerProcess second(web_server, {port});
  REQUIRE(second.error_line() ==
          name + ": cannot listen on 127.0.0.1:" + port +
              ": address already in use (EADDRINUSE); try another port, for example: " + name +
              " 0");
  REQUIRE(second.wait() == 1);
}

TEST_CASE("a server prints one line if its port is not allowed", "[step09]") {
  ServerProcess server(web_server, {"80"}, [] {
    ::prctl(PR_CAPBSET_DROP, 10);  // CAP_NET_BIND_SERVICE, in case root runs the test
  });
  REQUIRE(server.error_line() == name +
                                     ": cannot listen on 127.0.0.1:80: permission denied (EACCES); "
                                     "try another port, for example: " +
                                     name + " 0");
  REQUIRE(server.wait() == 1);
}

TEST_CASE("a server prints one line if its argument is not a port", "[step09]") {
  using Words = std::vector<std::string>;
  const auto words = GENERATE(Words{"65536"}, Words{"-1"}, Words{"x"}, Words{"80x"}, Words{""},
                              Words{"8000", "8001"}, Words{"--port"});
  ServerProcess server(web_server, words);
  REQUIRE(server.error_line() == "usage: " + name + " [PORT], a number from 0 to 65535");
  REQUIRE(server.wait() == 2);
}
