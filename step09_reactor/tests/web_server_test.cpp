// The web server as its clients see it, from outside; as in the earlier steps, but for faults in
// system calls, which are libuv's now.
#include <any_catch2.hpp>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "faults.hpp"
#include "peer.hpp"
#include "server_process.hpp"

namespace {

const char* const web_server = PROGRAMS "web_server";

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

/// How often the system has dropped a handshake because a queue of connections was full. The client
/// repeats it after a second: the article's slow requests.
long dropped_handshakes() {
  std::ifstream netstat("/proc/net/netstat");
  std::string names, values, name, value;
  while (std::getline(netstat, names) && std::getline(netstat, values)) {
    std::istringstream name_stream(names), value_stream(values);
    while (name_stream >> name && value_stream >> value) {
      if (name == "ListenOverflows") return std::stol(value);
    }
  }
  FAIL("this system does not count them");
  return 0;
}

/// A server on a free port, with arguments after that.
struct Server : ServerProcess {
  explicit Server(
      std::vector<std::string> arguments = {}, const char* program = web_server,
      const std::function<void()>& prepare = [] {})
      : ServerProcess(program, with_port(std::move(arguments)), prepare), port(this->read_port()) {
    REQUIRE(port > 0);
  }

  /// Ends it as a person would, and expects that it takes that well.
  void stops_cleanly(int number = SIGINT) {
    signal(number);
    REQUIRE(wait() == 0);
  }

  const int port;

 private:
  static std::vector<std::string> with_port(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"--port", "0"});
    return arguments;
  }
};

}  // namespace

TEST_CASE("one request after the other, and several at once", "[web_server]") {
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

TEST_CASE("a client that says nothing holds up nobody, and is closed at the end", "[web_server]") {
  Server server;
  Peer silent(server.port);
  REQUIRE(serves(server.port));
  server.stops_cleanly(SIGTERM);
  REQUIRE(silent.read().empty());
}

TEST_CASE("a request that comes in pieces is answered after the first", "[web_server]") {
  Server server;
  Peer client(server.port);
  client.send("G");
  REQUIRE(client.read(answer_to("G").size()) == answer_to("G"));
  for (const char letter : std::string("ET / HTTP/1.1\r\n\r\n")) client.send({letter});
  client.end();
  REQUIRE(client.read().empty());
  REQUIRE(client.error() == 0);
}

TEST_CASE("a body that comes after its head is answered without a reset", "[web_server]") {
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

TEST_CASE("a client that ends its side without a word is answered, too", "[web_server]") {
  Server server;
  Peer client(server.port);
  client.end();
  REQUIRE(client.read() == answer_to(""));
}

TEST_CASE("a request longer than one read is answered without a reset", "[web_server]") {
  Server server;
  const std::string request = "GET / HTTP/1.1\r\nX: " + std::string(20000, 'x');
  Peer client(server.port);
  client.send(request);
  REQUIRE(client.read() == answer_to(request.substr(0, 8192)));
  REQUIRE(client.error() == 0);
}

TEST_CASE("a client that never stops sending is closed", "[web_server]") {
  Server server;
  Peer client(server.port);
  const std::string block(100000, 'x');
  int blocks = 0;
  while (blocks < 1000 && client.send(block)) ++blocks;
  REQUIRE(blocks < 1000);
  REQUIRE(serves(server.port));
}

TEST_CASE("clients that reset, before a word and after it, hurt nobody", "[web_server]") {
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

TEST_CASE("a thousand clients at once: no handshake is dropped, and all are served",
          "[web_server]") {
  Server server;
  const long before = dropped_handshakes();
  server.signal(SIGSTOP);
  std::vector<Peer> clients;
  for (int i = 0; i < 1000; ++i) {
    clients.emplace_back(server.port);
    REQUIRE(clients.back().send(hello));
  }
  server.signal(SIGCONT);
  for (Peer& client : clients) REQUIRE(client.read() == answer_to(hello));
  REQUIRE(dropped_handshakes() == before);
}

TEST_CASE("out of descriptors: libuv sends clients away, nobody spins, and it goes on",
          "[web_server]") {
  Server server({}, web_server, [] {
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

TEST_CASE("without clients the server uses no processor time", "[web_server]") {
  Server server;
  REQUIRE(serves(server.port));
  server.wait_until_asleep();
  const long before = server.ticks();
  ::usleep(1000000);
  REQUIRE(server.ticks() == before);
}

TEST_CASE("requests that are there when the signal comes are answered", "[web_server]") {
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

TEST_CASE("after a failed accept the next one is tried", "[web_server]") {
  Server server({"--requests", "2"}, web_server, faults("accept4:105:1"));  // ENOBUFS
  REQUIRE(serves(server.port));
  REQUIRE(serves(server.port));
  REQUIRE(server.wait() == 0);
}

TEST_CASE("who is accepted at the end only, and says nothing, is closed", "[web_server]") {
  Server server({}, web_server, faults("accept4:105:1"));  // ENOBUFS
  REQUIRE(serves(server.port));                            // and then there is a pause
  Peer silent(server.port);
  server.signal(SIGTERM);
  REQUIRE(silent.read().empty());
  REQUIRE(silent.error() == 0);
  REQUIRE(server.wait() == 0);
}

TEST_CASE("the server lives on when nobody reads what it prints", "[web_server]") {
  Server server({}, web_server, [] { ::close(2); });
  server.close_output();
  REQUIRE(serves(server.port));
  server.stops_cleanly();
}

TEST_CASE("too few descriptors to begin with is one clear line", "[web_server]") {
  ServerProcess server(web_server, {"--port", "0"}, [] {
    const rlimit few{4, 4};
    ::setrlimit(RLIMIT_NOFILE, &few);
  });
  REQUIRE(server.error_line() ==
          "web_server: cannot make an event loop: too many open files (EMFILE)");
  REQUIRE(server.wait() == 1);
}

TEST_CASE("a port that is taken is one clear line", "[web_server]") {
  Server first;
  ServerProcess second(web_server, {"--port", std::to_string(first.port)});
  REQUIRE(second.error_line() ==
          "web_server: cannot listen on 127.0.0.1:" + std::to_string(first.port) +
              ": address already in use (EADDRINUSE); choose another one with --port");
  REQUIRE(second.wait() == 1);
}

TEST_CASE("a port that is not allowed is one clear line", "[web_server]") {
  ServerProcess server(web_server, {"--port", "80"}, [] {
    ::prctl(PR_CAPBSET_DROP, 10);  // CAP_NET_BIND_SERVICE, should the test run as root
  });
  REQUIRE(server.error_line() ==
          "web_server: cannot listen on 127.0.0.1:80: permission denied (EACCES); choose another "
          "one with --port");
  REQUIRE(server.wait() == 1);
}

TEST_CASE("a wrong command line is one clear line and exit status 2", "[web_server]") {
  using Words = std::vector<std::string>;
  const auto words = GENERATE(Words{"--port", "65536"}, Words{"--port", "-1"}, Words{"--port", "x"},
                              Words{"--port", "80x"}, Words{"--port", ""}, Words{"--port"},
                              Words{"--requests", "0"}, Words{"--requests", "99999999999"},
                              Words{"8000"}, Words{"--nonsense", "1"});
  ServerProcess server(web_server, words);
  REQUIRE(server.error_line().find("usage: web_server [--port 0..65535]") != std::string::npos);
  REQUIRE(server.wait() == 2);
}
