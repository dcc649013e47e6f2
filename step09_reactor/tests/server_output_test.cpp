// Servers whose stdout nobody reads.

#include <csignal>

#include "coop/uv/file.hpp"
#include "coop/uv/process.hpp"
#include "program.hpp"
#include "uv_files.hpp"
#include "uv_tcp.hpp"

using namespace coop;
using namespace std::chrono_literals;

namespace {

/// A port that is bound, so that no other program gets it. A server may listen on it.
struct BoundPort {
  BoundPort() {
    const int yes = 1;
    sockaddr_in own{};
    socklen_t size = sizeof own;
    auto* const address = reinterpret_cast<sockaddr*>(&own);
    REQUIRE(::setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes) == 0);
    REQUIRE(::bind(socket, any_port.get(), size) == 0);
    REQUIRE(::getsockname(socket, address, &size) == 0);
    number = Address(address).port();
  }
  BoundPort(const BoundPort&) = delete;
  ~BoundPort() { ::close(socket); }

  int socket = ::socket(AF_INET, SOCK_STREAM, 0);
  int number = 0;
};

/// echo_server with a redirected stdout. It is killed at the end of the test.
struct EchoServer {
  explicit EchoServer(const std::string& stdout_to)
      : process({"/bin/sh", "-c",
                 "exec '" PROGRAMS "/echo_server' " + std::to_string(port.number) + stdout_to}) {}
  EchoServer(const EchoServer&) = delete;
  ~EchoServer() { process.kill(SIGKILL); }

  BoundPort port;
  Process process;
};

/// Connects as soon as the server listens.
Coroutine<Stream> connect_to(int port) {
  while (true) {
    try {
      co_return co_await connect(Address("127.0.0.1", port));
    } catch (const UvError& error) {
      if (error.code() != UV_ECONNREFUSED) throw;
    }
  }
}

Coroutine<> expect_echo(int port) {
  Stream client = co_await connect_to(port);
  co_await client.write("line");
  co_await client.end_writing();
  const std::string echo = co_await read_all(&client);
  CHECK(echo == "GOT:line");
}

/// The server serves clients and ends after SIGTERM.
Coroutine<> expect_service(std::string stdout_to) {
  EchoServer server(stdout_to);
  for (int i = 0; i < 3; ++i) {
    co_await with_timeout(30s, expect_echo(server.port.number));
  }
  server.process.kill(SIGTERM);
  const ExitStatus status = co_await with_timeout(30s, server.process.exit());
  CHECK(status.is_success());
}

/// Fills a pipe.
void fill(const std::string& path) {
  const Descriptor pipe(::open(path.c_str(), O_WRONLY | O_NONBLOCK | O_CLOEXEC));
  const std::string text(4096, 'x');
  while (::write(pipe.get(), text.data(), text.size()) > 0) {
  }
}

}  // namespace

TEST_CASE_METHOD(UvWorld, "a server whose stdout is closed serves clients and ends after SIGTERM",
                 "[step09]") {
  scheduler.run(expect_service(" >&-"));
}

TEST_CASE_METHOD(UvWorld, "a server whose stdout is full serves clients and ends after SIGTERM",
                 "[step09]") {
  const Fifo fifo;
  fill(fifo.path());
  scheduler.run(expect_service(" >'" + fifo.path() + "'"));
}
