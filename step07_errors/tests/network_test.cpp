// The servers, in a network whose clients and connections fail.

#include <poll.h>

#include <chrono>
#include <csignal>
#include <ctime>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "any_catch2.hpp"
#include "peer.hpp"
#include "program.hpp"
#include "server_process.hpp"

namespace {

/// A request, and the response of the server to it.
struct Exchange {
  std::string request, response;
};

Exchange exchange_with(const std::string& program) {
  if (program == "web_server") return {hello, response_to(hello)};
  return {"one\ntwo\nthree", "GOT:one\nGOT:two\nGOT:three"};
}

/// Returns true if the server sends its response to a new client.
bool serves(const std::string& program, const ServerProcess& server) {
  const Exchange exchange = exchange_with(program);
  Peer client(server.port());
  client.send(exchange.request);
  client.end();
  return client.read() == exchange.response;
}

/// Checks a condition until it is true. Returns false after ten seconds.
bool becomes_true(const std::function<bool()>& condition) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(10);
  while (!condition()) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::yield();
  }
  return true;
}

/// Returns the CPU time that a server has used, or 0 on macOS, which lacks this part of POSIX.
double cpu_seconds([[maybe_unused]] const ServerProcess& server) {
  timespec time{};
#if _POSIX_CPUTIME >= 0
  clockid_t clock{};
  REQUIRE(::clock_getcpuclockid(server.process(), &clock) == 0);
  ::clock_gettime(clock, &time);
#endif
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

std::string either_server() {
  return GENERATE(as<std::string>(), "web_server", "echo_server");
}

}  // namespace

TEST_CASE("a server serves other clients when clients have reset their connections", "[step07]") {
  const std::string program = either_server();
  const Exchange exchange = exchange_with(program);
  const ServerProcess server(program, "ulimit -n 32");
  for (int i = 0; i < 50; ++i) {
    Peer silent(server.port()), half(server.port()), whole(server.port());
    half.send(exchange.request.substr(0, 5));
    whole.send(exchange.request);
    silent.reset();
    half.reset();
    whole.reset();
  }
  REQUIRE(serves(program, server));
}

TEST_CASE("web_server prints nothing when clients have reset their connections", "[step07]") {
  ServerProcess server("web_server", "exec 2>&1");  // stderr, too
  for (int i = 0; i < 20; ++i) {
    Peer client(server.port());
    client.send("GET /");
    REQUIRE(answers(server.port()));  // by now, the server waits for the rest of the request
    client.reset();
  }
  REQUIRE(answers(server.port()));
  server.signal(SIGTERM);
  REQUIRE(server.wait() == 0);
  REQUIRE(server.read_line() == "");
}

TEST_CASE("a server without free file descriptors uses no CPU time and serves clients later",
          "[step07]") {
  const std::string program = either_server();
  ServerProcess server(program, "ulimit -n 32");
  std::vector<Peer> silent;
  for (int i = 0; i < 60; ++i) silent.emplace_back(server.port());
  ::poll(nullptr, 0, 300);  // by now, the server has accepted as many as it can
  const double before = cpu_seconds(server);
  ::poll(nullptr, 0, 300);  // the period in which the CPU time is measured
  REQUIRE(cpu_seconds(server) - before < 0.03);
  silent.clear();
  REQUIRE(serves(program, server));
  server.signal(SIGTERM);
  REQUIRE(server.wait() == 0);
}

TEST_CASE("web_server answers a request that arrives in two parts", "[step07]") {
  const ServerProcess server("web_server");
  Peer client(server.port());
  client.send("GET / HTTP/1.1\r\nHost: local");
  REQUIRE(answers(server.port()));  // by now, the server has read the first part
  client.send("host\r\n\r\n");
  REQUIRE(client.read() == response_to("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"));
}

TEST_CASE("web_server answers a request of 200 000 bytes without a reset", "[step07]") {
  const ServerProcess server("web_server");
  Peer client(server.port());
  const std::string request = "GET /" + std::string(200000, 'x') + " HTTP/1.1\r\n\r\n";
  REQUIRE(client.send(request));
  const std::string response = client.read();
  REQUIRE(client.error() == 0);
  const std::string part = response.substr(response.find("GET /"));
  REQUIRE(part.size() > 8192);
  REQUIRE(part.size() <= 16384);  // two reads
  REQUIRE(response == response_to(request.substr(0, part.size())));
}

TEST_CASE("web_server reads the body of a POST request that arrives after its response",
          "[step07]") {
  const ServerProcess server("web_server");
  Peer client(server.port());
  const std::string head = "POST / HTTP/1.1\r\nContent-Length: 20000000\r\n\r\n";
  client.send(head);
  REQUIRE(client.read() == response_to(head));
  REQUIRE(client.send(std::string(20000000, 'x')));  // more than all buffers together
  client.end();
  REQUIRE(client.read() == "");
  REQUIRE(client.error() == 0);
}

TEST_CASE("a signal ends a server after all clients that sent a request have their response",
          "[step07]") {
  const std::string program = either_server();
  const int number = GENERATE(SIGTERM, SIGINT);
  const Exchange exchange = exchange_with(program);
  ServerProcess server(program);
  std::vector<Peer> clients;
  for (int i = 0; i < 20; ++i) clients.emplace_back(server.port());
  REQUIRE(serves(program, server));  // by now, the server has accepted the first 20 clients
  server.signal(SIGSTOP);
  for (int i = 0; i < 20; ++i) clients.emplace_back(server.port());
  for (Peer& client : clients) {
    REQUIRE(client.send(exchange.request));
    client.end();
  }
  server.signal(number);
  server.signal(SIGCONT);
  for (Peer& client : clients) {
    REQUIRE(client.read() == exchange.response);
    REQUIRE(client.error() == 0);
    client.close();
  }
  REQUIRE(server.wait() == 0);
}

TEST_CASE("SIGTERM ends a server while a client is silent", "[step07]") {
  ServerProcess web("web_server"), echo("echo_server");
  Peer web_client(web.port()), echo_client(echo.port());
  REQUIRE(serves("web_server", web));
  REQUIRE(serves("echo_server", echo));
  web.signal(SIGTERM);
  echo.signal(SIGTERM);  // both need two seconds, at the same time
  REQUIRE(web_client.read() == "");
  REQUIRE(echo_client.read() == "");
  REQUIRE(web.wait() == 0);
  REQUIRE(echo.wait() == 0);
}

TEST_CASE("a server accepts no new client after SIGTERM and ignores a second SIGTERM", "[step07]") {
  const std::string program = either_server();
  const Exchange exchange = exchange_with(program);
  ServerProcess server(program);
  Peer client(server.port());
  client.send(exchange.request.substr(0, 5));
  REQUIRE(serves(program, server));  // by now, the server has accepted the client
  server.signal(SIGTERM);
  REQUIRE(becomes_true([&] { return !Peer(server.port()).is_connected(); }));
  server.signal(SIGTERM);
  client.send(exchange.request.substr(5));
  client.end();
  REQUIRE(client.read() == exchange.response);
  client.close();
  REQUIRE(server.wait() == 0);
}

TEST_CASE("a server without standard streams serves clients and ends at SIGTERM", "[step07]") {
  const std::string program = either_server();
  const ReservedPort port;
  ServerProcess server(program, "exec <&- >&- 2>&-", port);
  REQUIRE(serves(program, server));
  server.signal(SIGTERM);
  REQUIRE(server.wait() == 0);
}

TEST_CASE("a server serves clients and ends at SIGTERM when the reader of its stdout has ended",
          "[step07]") {
  const std::string program = either_server();
  ServerProcess server(program);
  server.stop_reading();
  REQUIRE(serves(program, server));
  REQUIRE(serves(program, server));
  server.signal(SIGTERM);
  REQUIRE(server.wait() == 0);
}

TEST_CASE("a server whose output nobody reads serves clients and ends at SIGTERM", "[step07]") {
  const std::string program = either_server();
  const std::string fill = "{ dd if=/dev/zero of=/dev/fd/1 bs=1 oflag=nonblock 2>/dev/null || :; }";
  const ReservedPort port;
  ServerProcess server(program, fill, port);
  REQUIRE(serves(program, server));
  server.signal(SIGTERM);
  REQUIRE(server.wait() == 0);
}

TEST_CASE("echo_server prints a line when it has lost a client", "[step07]") {
  const ServerProcess server("echo_server");
  Peer client(server.port());
  client.send("hello\nhalf a li");
  REQUIRE(client.read(10) == "GOT:hello\n");
  client.reset();
  REQUIRE(server.read_line().substr(0, 20) == "Got connection from ");
  REQUIRE(server.read_line() == "Client lost: read: Connection reset by peer");
}

TEST_CASE("both servers print one line and exit with status 1 when the port is taken", "[step07]") {
  const std::string program = either_server();
  const ServerProcess first(program);
  const std::string port = std::to_string(first.port());
  REQUIRE(output_of("./" + program + " " + port + " 2>&1", 1) ==
          "Cannot listen on port " + port +
              ": Address already in use; try another port, for example: ./" + program + " 0\n");
}
