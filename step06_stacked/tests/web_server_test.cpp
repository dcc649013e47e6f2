// The web server as its clients see it, from outside: the same in every step that has one.
#include <any_catch2.hpp>
#include <cstdlib>
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

std::string file(const std::string& name) {
  std::ifstream stream(EXPECTED + name, std::ios::binary);
  std::ostringstream content;
  content << stream.rdbuf();
  return content.str();
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

TEST_CASE("the recorded request gets the recorded answer, and the server ends after it",
          "[web_server]") {
  Server server({"--requests", "1"});
  Peer client(server.port);
  client.send(file("web_server_request.txt"));
  REQUIRE(client.read() == file("web_server.txt"));
  REQUIRE(client.error() == 0);
  client.close();
  REQUIRE(server.wait() == 0);
}

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

TEST_CASE("out of descriptors: who is connected is served, nobody spins, and it goes on",
          "[web_server]") {
  Server server({}, web_server, [] {
    const rlimit few{20, 20};
    ::setrlimit(RLIMIT_NOFILE, &few);
  });
  std::vector<Peer> clients;
  for (int i = 0; i < 40; ++i) clients.emplace_back(server.port);
  clients[0].send(hello);
  REQUIRE(clients[0].read() == answer_to(hello));
  const long before = server.ticks();
  ::usleep(500000);
  REQUIRE(server.ticks() - before <= 5);
  for (std::size_t i = 1; i < clients.size(); ++i) {
    clients[i].send(hello);
    REQUIRE(clients[i].read() == answer_to(hello));
    clients[i].close();
  }
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

TEST_CASE("a failed accept, and a signal in each call, are ordinary days", "[web_server]") {
  const auto fault = GENERATE("accept4:103:3",  // ECONNABORTED
                              "accept4:4:3",    // EINTR
                              "accept4:24:2",   // EMFILE
                              "accept4:105:1",  // ENOBUFS
                              "read:4:3", "read:11:3", "send:4:3", "send:11:3", "poll:4:3");
  CAPTURE(fault);
  Server server({"--requests", "3"}, web_server, faults(fault));
  for (int i = 0; i < 3; ++i) REQUIRE(serves(server.port));
  REQUIRE(server.wait() == 0);
}

TEST_CASE("a reset while the server reads or writes ends that client only", "[web_server]") {
  const auto fault = GENERATE("read:104:1", "send:104:1", "send:32:1");
  CAPTURE(fault);
  Server server({"--requests", "2"}, web_server, faults(fault));
  Peer unlucky(server.port);
  unlucky.send(hello);
  REQUIRE(unlucky.read().empty());
  REQUIRE(serves(server.port));
  REQUIRE(serves(server.port));
  REQUIRE(server.wait() == 0);
}

TEST_CASE("a port that the system does not tell is one clear line", "[web_server]") {
  ServerProcess server(web_server, {"--port", "0"}, faults("getsockname:105:1"));
  REQUIRE(server.output_line().empty());
  REQUIRE(server.error_line() == "web_server: getsockname: No buffer space available");
  REQUIRE(server.wait() == 1);
}

TEST_CASE("an answer that leaves byte by byte arrives whole, and others are served meanwhile",
          "[web_server]") {
  Server server({"--requests", "2"}, web_server, faults("send:short"));
  Peer slow(server.port, 1);
  const std::string request(8192, 'x');
  slow.send(request);
  REQUIRE(serves(server.port));
  REQUIRE(slow.read() == answer_to(request));
  slow.close();
  REQUIRE(server.wait() == 0);
}

TEST_CASE("a client that takes nothing is given up", "[web_server]") {
  Server server({}, web_server, [] {
    faults("deaf")();  // ten seconds are a hundredth
    ::alarm(30);
  });
  Peer deaf(server.port);
  deaf.send(hello);
  REQUIRE(deaf.read().empty());
  server.stops_cleanly();
}

TEST_CASE("requests that are there when the signal comes are answered", "[web_server]") {
  const int accepted = GENERATE(0, 49, 50);
  CAPTURE(accepted);
  Server server;
  std::vector<Peer> clients;
  for (int i = 0; i < accepted; ++i) clients.emplace_back(server.port);
  REQUIRE(serves(server.port));  // so those have been accepted
  server.signal(SIGSTOP);
  for (int i = accepted; i < 50; ++i) clients.emplace_back(server.port);
  for (Peer& client : clients) client.send(hello);
  server.signal(SIGTERM);
  server.signal(SIGCONT);
  for (Peer& client : clients) REQUIRE(client.read() == answer_to(hello));
  clients.clear();
  REQUIRE(server.wait() == 0);
}

TEST_CASE("who is accepted at the end only, and says nothing, is closed", "[web_server]") {
  Server server({}, web_server, faults("accept4:24:1 stopped"));  // EMFILE, and a pause for ever
  Peer silent(server.port);
  server.signal(SIGTERM);
  REQUIRE(silent.read().empty());
  REQUIRE(silent.error() == 0);
  REQUIRE(server.wait() == 0);
}

TEST_CASE("while the last client is served, a server that ends takes nobody in any more",
          "[web_server]") {
  Server server;
  Peer silent(server.port), last(server.port);
  last.send("not all");
  REQUIRE(last.read() == answer_to("not all"));  // and it waits for the rest
  server.signal(SIGTERM);
  REQUIRE(silent.read().empty());  // so it has begun to end
  REQUIRE_FALSE(Peer(server.port).connected());
}

TEST_CASE("to be served, nobody needs to wait until some time has passed", "[web_server]") {
  Server server({"--requests", "3"}, web_server, faults("stopped"));
  for (int i = 0; i < 3; ++i) REQUIRE(serves(server.port));
  REQUIRE(server.wait() == 0);
}

TEST_CASE("the server lives on when nobody reads what it prints", "[web_server]") {
  Server server({}, web_server, [] { ::close(2); });
  server.close_output();
  REQUIRE(serves(server.port));
  server.stops_cleanly();
}

TEST_CASE("a poll that fails is one clear line, also if nobody ever read what was printed",
          "[web_server]") {
  ServerProcess server(web_server, {"--port", "0"}, [] {
    faults("poll:22:1")();  // EINVAL
    int ends[2];
    if (::pipe(ends) == 0) ::dup2(ends[1], 1);
    ::close(ends[0]);
    ::close(ends[1]);
  });
  REQUIRE(server.error_line() == "web_server: poll: Invalid argument");
  REQUIRE(server.wait() == 1);
}

TEST_CASE("a server without memory says so and ends", "[web_server]") {
  if (!memory_can_fail()) return;
  Server server({}, web_server, faults("new:12:1000000:1000"));
  while (serves(server.port)) {
  }
  const Peer another(server.port);  // for whom there is no memory either
  std::string last;
  for (std::string line; !(line = server.error_line()).empty();) last = line;
  REQUIRE(last == "web_server: std::bad_alloc");
  REQUIRE(server.wait() == 1);
}

TEST_CASE("too few descriptors to begin with is one clear line", "[web_server]") {
  ServerProcess server(web_server, {"--port", "0"}, [] {
    const rlimit few{4, 4};
    ::setrlimit(RLIMIT_NOFILE, &few);
  });
  REQUIRE(server.error_line() == "web_server: pipe: Too many open files");
  REQUIRE(server.wait() == 1);
}

TEST_CASE("a port that is taken is one clear line", "[web_server]") {
  Server first;
  ServerProcess second(web_server, {"--port", std::to_string(first.port)});
  REQUIRE(second.error_line() == "web_server: cannot listen on port " + std::to_string(first.port) +
                                     ": Address already in use; choose another one with --port");
  REQUIRE(second.wait() == 1);
}

TEST_CASE("a port that is not allowed is one clear line", "[web_server]") {
  ServerProcess server(web_server, {"--port", "80"}, [] {
    ::prctl(PR_CAPBSET_DROP, 10);  // CAP_NET_BIND_SERVICE, should the test run as root
  });
  REQUIRE(
      server.error_line() ==
      "web_server: cannot listen on port 80: Permission denied; choose another one with --port");
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
