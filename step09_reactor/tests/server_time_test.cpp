// How long the servers wait for their clients. The servers run in this process, whose clock is put
// forward, so the tests check the real limits and wait for none of them.

#include <dlfcn.h>

#include <charconv>
#include <csignal>
#include <cstddef>
#include <ctime>
#include <exception>
#include <iostream>
#include <sstream>

#include "programs/server.hpp"
#include "uv_tcp.hpp"

namespace web {
#include "programs/web_server.cpp"
}  // namespace web
namespace echo {
#include "programs/echo_server.cpp"
}  // namespace echo

using namespace coop;
using namespace std::chrono_literals;

namespace {

std::chrono::seconds skipped(0);

/// Puts the clock forward.
void skip(std::chrono::seconds time) {
  skipped += time;
}

}  // namespace

/// The clock of this process. All programs call this function instead of that of the C library.
extern "C" int clock_gettime(clockid_t clock, timespec* time) {
  using Function = int (*)(clockid_t, timespec*);
  static const auto real = reinterpret_cast<Function>(::dlsym(RTLD_NEXT, "clock_gettime"));
  const int result = real(clock, time);
  if (clock == CLOCK_MONOTONIC) time->tv_sec += skipped.count();
  return result;
}

namespace {

/// A fixture that runs a server in a task. The clock is put back at the end of the test.
struct ServerWorld : UvWorld {
  ServerWorld() : before(std::cout.rdbuf(printed.rdbuf())) {}
  ServerWorld(const ServerWorld&) = delete;
  ~ServerWorld() {
    std::cout.rdbuf(before);
    skipped = 0s;
  }

  std::ostringstream printed;
  std::streambuf* before;
};

/// A server and what a client needs.
struct Server {
  Server(Handle<void> running, int number) : task(std::move(running)), port(number) {}

  Coroutine<Stream> new_client() const { return connect(Address("127.0.0.1", port)); }

  Handle<void> task;
  int port;
};

Coroutine<Server> start(ClientHandler handler, const std::ostringstream* printed) {
  Handle<void> task = spawn(listen_and_serve(0, handler));
  co_await yield();
  const std::string line = printed->str(), words = "Starting server at port ";
  co_return Server(std::move(task), std::stoi(line.substr(words.size())));
}

/// Waits until the server has received SIGTERM, because then it closes its port.
Coroutine<> terminate(Server* server) {
  std::raise(SIGTERM);
  try {
    while (true) {
      co_await server->new_client();
    }
  } catch (const UvError&) {
  }
}

/// Waits until the server has closed the connection.
Coroutine<> until_closed(Stream* client) {
  try {
    std::string data;
    do {
      data = co_await client->read();
    } while (!data.empty());
  } catch (const UvError&) {
  }
}

/// Writes until the server has closed the connection.
Coroutine<> write_until_closed(Stream* client) {
  try {
    while (true) {
      co_await client->write("x");
      co_await yield();
    }
  } catch (const UvError&) {
  }
}

/// A new client gets a response. By then, the server has read what all clients have sent before.
Coroutine<> get(Server* server) {
  Stream client = co_await server->new_client();
  co_await client.write("GET / HTTP/1.1\r\n\r\n");
  const std::string response = co_await read_all(&client);
  CHECK(response.ends_with("GET / HTTP/1.1\r\n\r\n"));
}

/// Sends a line, and checks the echo.
Coroutine<> echo_one(Stream* client) {
  co_await client->write("line\n");
  const std::string echo = co_await client->read();
  CHECK(echo == "GOT:line\n");
}

}  // namespace

TEST_CASE_METHOD(ServerWorld, "web_server disconnects a client ten seconds after it has connected",
                 "[step09]") {
  scheduler.run([](const std::ostringstream* out) -> Coroutine<> {
    Server server = co_await start(web::handle_client, out);
    Stream silent = co_await server.new_client();
    Stream slow = co_await server.new_client();
    const Handle<void> first = spawn(until_closed(&silent));
    const Handle<void> second = spawn(until_closed(&slow));
    for (int i = 0; i < 2; ++i) {
      co_await slow.write("x");
      co_await get(&server);
      CHECK_FALSE(first->is_finished());
      CHECK_FALSE(second->is_finished());
      skip(4s);
    }
    co_await slow.write("x");
    co_await get(&server);
    skip(2s);
    co_await with_timeout(900ms, first);
    co_await with_timeout(900ms, second);
    co_await terminate(&server);
  }(&printed));
}

TEST_CASE_METHOD(ServerWorld, "the ten seconds of web_server contain what follows the request",
                 "[step09]") {
  scheduler.run([](const std::ostringstream* out) -> Coroutine<> {
    Server server = co_await start(web::handle_client, out);
    Stream client = co_await server.new_client();
    co_await get(&server);
    skip(8s);
    co_await client.write("POST / HTTP/1.1\r\n\r\n");
    const std::string response = co_await read_all(&client);
    CHECK(response.ends_with("POST / HTTP/1.1\r\n\r\n"));
    skip(2s);
    co_await with_timeout(900ms, write_until_closed(&client));
    co_await terminate(&server);
  }(&printed));
}

TEST_CASE_METHOD(ServerWorld, "echo_server gives a client a minute for each line", "[step09]") {
  scheduler.run([](const std::ostringstream* out) -> Coroutine<> {
    Server server = co_await start(echo::handle_client, out);
    Stream quick = co_await server.new_client();
    Stream slow = co_await server.new_client();
    const Handle<void> end = spawn(until_closed(&slow));
    for (int i = 0; i < 2; ++i) {
      co_await slow.write("half a li");
      co_await echo_one(&quick);
      CHECK_FALSE(end->is_finished());
      skip(30s);
    }
    co_await with_timeout(900ms, end);
    co_await echo_one(&quick);  // after a minute
    skip(60s);
    co_await with_timeout(900ms, until_closed(&quick));
    co_await terminate(&server);
  }(&printed));
}

TEST_CASE_METHOD(ServerWorld, "a server ends two seconds after SIGTERM while a client is silent",
                 "[step09]") {
  const ClientHandler handler = GENERATE(web::handle_client, echo::handle_client);
  scheduler.run([](const std::ostringstream* out, ClientHandler serve) -> Coroutine<> {
    Server server = co_await start(serve, out);
    Stream silent = co_await server.new_client();
    co_await terminate(&server);
    skip(2s);
    co_await with_timeout(900ms, server.task);
    co_await until_closed(&silent);
  }(&printed, handler));
}
