// A solution in another shape than ours: no CoSocket, but two bodies that share a connection, and
// one that accepts.

#include <arpa/inet.h>
#include <fcntl.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "process.hpp"
#include "wait.hpp"

struct Connection {
  explicit Connection(int fd) : socket(fd) {}
  Socket socket;
  std::string in;         // what has been read
  std::size_t begin = 0;  // of the next line in it
};

// Returns one line, or an empty string.
struct TakeLine final : Coroutine {
  explicit TakeLine(std::shared_ptr<Connection> its) : c(std::move(its)) {}
  std::shared_ptr<Connection> c;
  bool waited = false;
  std::optional<Yielded> resume(Value) override {
    char bytes[16384];
    for (;;) {
      const std::size_t end = c->in.find('\n', c->begin);
      if (!waited && end != std::string::npos) {
        std::string line = c->in.substr(c->begin, end + 1 - c->begin);
        c->begin = end + 1;
        return ReturnValue{std::move(line)};
      }
      if (!std::exchange(waited, !waited)) return wait_for_read(c->socket);
      const ssize_t n = ::recv(c->socket.fd(), bytes, sizeof bytes, MSG_DONTWAIT);
      if (n == 0 || (n < 0 && errno != EAGAIN)) return ReturnValue{std::string()};
      if (n < 0) continue;
      c->in.erase(0, std::exchange(c->begin, 0));
      c->in.append(bytes, static_cast<std::size_t>(n));
    }
  }
};

struct GiveAll final : Coroutine {
  GiveAll(std::shared_ptr<Connection> its, std::string text)
      : c(std::move(its)), out(std::move(text)) {}
  std::shared_ptr<Connection> c;
  std::string out;
  std::size_t given = 0;
  std::optional<Yielded> resume(Value) override {
    while (given < out.size()) {
      const ssize_t n = ::send(c->socket.fd(), &out[given], out.size() - given, MSG_DONTWAIT);
      if (n < 0 && errno == EAGAIN) return wait_for_write(c->socket);
      if (n < 0) return std::nullopt;
      given += static_cast<std::size_t>(n);
    }
    return std::nullopt;
  }
};

struct Echo final : Coroutine {
  explicit Echo(int fd) : c(std::make_shared<Connection>(fd)) {}
  std::shared_ptr<Connection> c;
  std::optional<Yielded> resume(Value sent) override {
    const auto* const line = std::any_cast<std::string>(&sent);
    if (!line) return Call{std::make_shared<TakeLine>(c)};
    if (line->empty()) return std::nullopt;
    return Call{std::make_shared<GiveAll>(c, "GOT:" + *line)};
  }
};

struct Accepting final : Coroutine {
  explicit Accepting(int fd) : socket(fd) {}
  Socket socket;
  bool ready = false;
  std::optional<Yielded> resume(Value) override {
    if (std::exchange(ready, !ready)) {
      const int fd = ::accept(socket.fd(), nullptr, nullptr);
      if (fd >= 0) return new_task(std::make_shared<Echo>(fd));
      ready = true;
    }
    return wait_for_read(socket);
  }
};

int main(int, char** argv) {
  const int fd = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(static_cast<in_port_t>(std::atoi(argv[1])));
  socklen_t size = sizeof address;
  ::bind(fd, reinterpret_cast<sockaddr*>(&address), size);
  ::listen(fd, 4096);
  ::fcntl(fd, F_SETFL, O_NONBLOCK);
  ::getsockname(fd, reinterpret_cast<sockaddr*>(&address), &size);
  std::printf("Port %d\n", ntohs(address.sin_port));
  std::fflush(stdout);
  std::signal(SIGPIPE, SIG_IGN);
  Scheduler scheduler;
  scheduler.new_task(std::make_shared<Accepting>(fd));
  scheduler.run();
}
