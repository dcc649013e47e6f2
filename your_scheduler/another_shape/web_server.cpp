// A solution in another shape than ours: another response, and without listen.hpp.

#include <arpa/inet.h>
#include <fcntl.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "process.hpp"
#include "wait.hpp"

struct Handler final : Coroutine {
  explicit Handler(int fd) : socket(fd) {}
  Socket socket;
  int state = 0;
  std::string out;
  std::optional<Yielded> resume(Value) override {
    char in[8192];
    ssize_t n;
    switch (state) {
    case 0:
      for (;;) {
        state = 1;
        return wait_for_read(socket);
      case 1:
        n = ::recv(socket.fd(), in, sizeof in, MSG_DONTWAIT);
        if (n >= 0) break;
        if (errno != EAGAIN) return std::nullopt;
      }
      out = std::string(in, static_cast<std::size_t>(n));
      out = out.substr(0, out.find('\r')) + "\n";
      out = "HTTP/1.1 200 OK\r\nContent-Length: " + std::to_string(out.size()) +
            "\r\nConnection: close\r\n\r\n" + out;
      while (!out.empty()) {
        state = 2;
        return wait_for_write(socket);
      case 2:
        n = ::send(socket.fd(), out.data(), out.size(), MSG_DONTWAIT);
        if (n < 0 && errno != EAGAIN) return std::nullopt;
        if (n > 0) out.erase(0, static_cast<std::size_t>(n));
      }
    }
    return std::nullopt;
  }
};

struct Accepting final : Coroutine {
  explicit Accepting(int fd) : socket(fd) {}
  Socket socket;
  bool ready = false;
  std::optional<Yielded> resume(Value) override {
    if (std::exchange(ready, !ready)) {
      const int fd = ::accept(socket.fd(), nullptr, nullptr);
      if (fd >= 0) return new_task(std::make_shared<Handler>(fd));
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
