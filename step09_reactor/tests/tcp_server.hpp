#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <stdexcept>
#include <string>
#include <vector>

/// A server for tests of client programs, without the library: blocking, and as rude as told.
class TcpServer {
 public:
  TcpServer() : listener_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address{};
    socklen_t size = sizeof address;
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    auto* const any = reinterpret_cast<sockaddr*>(&address);
    if (::bind(listener_, any, size) < 0 || ::listen(listener_, 10) < 0 ||
        ::getsockname(listener_, any, &size) < 0) {
      throw std::runtime_error("no server");
    }
    port_ = ntohs(address.sin_port);
  }
  TcpServer(const TcpServer&) = delete;
  ~TcpServer() { ::close(listener_); }

  int port() const { return port_; }

  /// Waits for a client and its request. The client is closed by answer() or reset().
  int accept() const {
    const int client = ::accept(listener_, nullptr, nullptr);
    std::string request;
    char letter = 0;
    while (!request.ends_with("\r\n\r\n") && ::read(client, &letter, 1) == 1) request += letter;
    return client;
  }

  void answer(int client, const std::string& text) const {
    if (::send(client, text.data(), text.size(), MSG_NOSIGNAL) < 0) {
      throw std::runtime_error("the client has gone");
    }
    ::close(client);
  }

  /// Ends with RST instead of FIN.
  void reset(int client) const {
    const linger now{1, 0};
    ::setsockopt(client, SOL_SOCKET, SO_LINGER, &now, sizeof now);
    ::close(client);
  }

 private:
  int listener_;
  int port_ = 0;
};
