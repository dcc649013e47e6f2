// The web server, as its clients see it.

#include <sys/resource.h>

#include <csignal>
#include <cstddef>
#include <memory>
#include <string>
#include <system_error>
#include <vector>

#include "any_catch2.hpp"
#include "command_line.hpp"
#include "pair.hpp"
#include "peer.hpp"
#include "process.hpp"
#include "program.hpp"
#include "script.hpp"
#include "server_process.hpp"
#include "wait.hpp"

// The headers of the program are above, so only its own code is in the namespace, where its main()
// is an ordinary function, which has no return statement.
namespace program {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wreturn-type"
#include "web_server.cpp"
#pragma GCC diagnostic pop
}  // namespace program

TEST_CASE("web_server answers one client after the other", "[step05]") {
  const ServerProcess server("web_server");
  REQUIRE(answers(server.port()));
  REQUIRE(answers(server.port()));
}

TEST_CASE("web_server answers an empty request", "[step05]") {
  const ServerProcess server("web_server");
  Peer client(server.port());
  client.end();
  REQUIRE(client.read() == response_to(""));
}

TEST_CASE("web_server answers a fast client when a slow client has connected before", "[step05]") {
  const ServerProcess server("web_server");
  Peer slow(server.port());
  REQUIRE(answers(server.port()));
  slow.send(hello);
  REQUIRE(slow.read() == response_to(hello));
}

TEST_CASE("web_server answers all 300 clients that have connected while it was stopped",
          "[step05]") {
  const ServerProcess server("web_server");
  server.signal(SIGSTOP);
  std::vector<Peer> clients;
  for (int i = 0; i < 300; ++i) {
    clients.emplace_back(server.port());
    REQUIRE(clients.back().send(hello));
  }
  server.signal(SIGCONT);
  for (Peer& client : clients) REQUIRE(client.read() == response_to(hello));
}

TEST_CASE("web_server closes the sockets of clients that close and of clients that reset",
          "[step05]") {
  const ServerProcess server("web_server", "ulimit -n 32");
  for (int i = 0; i < 50; ++i) {
    Peer silent(server.port()), closing(server.port()), resetting(server.port());
    closing.send(hello);
    resetting.send(hello);
    silent.reset();
    closing.close();
    resetting.reset();
  }
  REQUIRE(answers(server.port()));
}

TEST_CASE("a client handler waits again when another task has read from its socket", "[step05]") {
  const Pair pair = connected_pair();
  pair.there.write("taken");
  Scheduler scheduler;
  scheduler.new_task(script({[&](Value) { return wait_for_read(pair.here); },
                             act([&] { CHECK(drain(pair.here) == 5); })}));
  scheduler.new_task(std::make_shared<program::ClientHandler>(pair.here));
  scheduler.new_task(script({pass(), pass(), pass(), act([&] { pair.there.write(hello); })}));
  scheduler.run();
  REQUIRE(pair.there.read(10000) == response_to(hello));
}

TEST_CASE("a client handler sends its response when another task has filled the socket before it",
          "[step05]") {
  const Pair pair = connected_pair();
  fill(pair.here);
  pair.there.write(hello);
  Scheduler scheduler;
  scheduler.new_task(script({[&](Value) { return wait_for_write(pair.here); },
                             act([&] { CHECK(fill(pair.here) > 0); })}));
  scheduler.new_task(std::make_shared<program::ClientHandler>(pair.here));
  const Script::Step drains = act([&] { drain(pair.there); });
  scheduler.new_task(script({pass(), pass(), drains, pass(), pass(), drains}));
  scheduler.run();
  REQUIRE(pair.there.read(10000) == response_to(hello));
}

TEST_CASE("a server prints a usage line and exits with status 2 when the port is wrong",
          "[step05]") {
  const std::string arguments =
      GENERATE("x", "80x", "''", "-1", "65536", "99999999999", "8000 8001");
  REQUIRE(output_of("./web_server " + arguments + " 2>&1", 2) ==
          "usage: ./web_server [PORT], a number from 0 to 65535\n");
}

TEST_CASE("a server prints one line and exits with status 1 when the port is taken", "[step05]") {
  const ServerProcess first("web_server");
  const std::string port = std::to_string(first.port());
  REQUIRE(output_of("./web_server " + port + " 2>&1", 1) ==
          "Cannot listen on port " + port +
              ": Address already in use; try another port, for example: ./web_server 0\n");
}

TEST_CASE("listen_on() throws the reason when it can't open a socket", "[step05]") {
  rlimit descriptors;
  REQUIRE(::getrlimit(RLIMIT_NOFILE, &descriptors) == 0);
  const rlimit none{0, descriptors.rlim_max};
  REQUIRE(::setrlimit(RLIMIT_NOFILE, &none) == 0);
  std::string reason;
  try {
    listen_on(0);
  } catch (const std::system_error& error) {
    reason = error.what();
  }
  REQUIRE(::setrlimit(RLIMIT_NOFILE, &descriptors) == 0);
  REQUIRE(reason == "Cannot open a socket: Too many open files");
}

TEST_CASE("web_server serves clients when its stdout is closed", "[step05]") {
  const ReservedPort port;
  const ServerProcess server("web_server", "exec >&-", port);
  REQUIRE(answers(server.port()));
}
