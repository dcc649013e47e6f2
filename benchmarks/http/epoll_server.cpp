// The smallest server: one thread, epoll, no library. It responds to one request and closes
// the connection. `epoll_server keep` responds until the client closes it. A connection is
// registered with epoll only when there is nothing to read.

#include <netinet/in.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <string>
#include <string_view>

#include "answer.hpp"

namespace {

bool keep = false;
int epoll = -1;

/// Responds to the requests that have arrived. Returns false at the end of the connection.
bool serve(int client, bool& registered) {
  static std::array<char, 8192> buffer;
  while (true) {
    const ssize_t size = recv(client, buffer.data(), buffer.size(), 0);
    if (size < 0 && errno == EAGAIN) break;
    if (size <= 0) return false;
    const std::string request(buffer.data(), static_cast<std::size_t>(size));
    if (!is_complete(request)) return false;  // the client sends it in one piece
    const std::string answer = response_to(request, keep);
    if (send(client, answer.data(), answer.size(), MSG_NOSIGNAL) < 0) return false;
    if (!keep) return false;
  }
  if (!registered) {
    epoll_event event{EPOLLIN, {.fd = client}};
    epoll_ctl(epoll, EPOLL_CTL_ADD, client, &event);
    registered = true;
  }
  return true;
}

void accept_all(int listener) {
  int client = -1;
  while ((client = accept4(listener, nullptr, nullptr, SOCK_NONBLOCK)) >= 0) {
    bool registered = false;
    if (!serve(client, registered)) close(client);
  }
}

}  // namespace

int main(int argc, char**) {
  keep = argc > 1;
  const int listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  bind(listener, reinterpret_cast<sockaddr*>(&address), size);
  listen(listener, SOMAXCONN);
  getsockname(listener, reinterpret_cast<sockaddr*>(&address), &size);
  std::printf("Starting server at port %d...\n", ntohs(address.sin_port));
  std::fflush(stdout);

  epoll = epoll_create1(0);
  epoll_event event{EPOLLIN, {.fd = listener}};
  epoll_ctl(epoll, EPOLL_CTL_ADD, listener, &event);
  while (true) {
    std::array<epoll_event, 1024> events;
    const int count = epoll_wait(epoll, events.data(), events.size(), -1);
    for (int i = 0; i < count; ++i) {
      const int ready = events[static_cast<std::size_t>(i)].data.fd;
      bool registered = true;
      if (ready == listener) {
        accept_all(listener);
      } else if (!serve(ready, registered)) {
        close(ready);
      }
    }
  }
}
