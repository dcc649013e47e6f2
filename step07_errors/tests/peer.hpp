#pragma once

#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <string>
#include <utility>

/// A client of a server, with a blocking socket. An operation that takes longer than a minute
/// fails.
class Peer {
 public:
  explicit Peer(int port) : fd_(::socket(AF_INET, SOCK_STREAM, 0)) {
    std::signal(SIGPIPE, SIG_IGN);
    const timeval limit{60, 0};
    ::setsockopt(fd_, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    ::setsockopt(fd_, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.sin_port = htons(static_cast<in_port_t>(port));
    is_connected_ = ::connect(fd_, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0;
  }
  Peer(Peer&& other) noexcept
      : fd_(std::exchange(other.fd_, -1)),
        is_connected_(other.is_connected_),
        error_(other.error_) {}
  Peer(const Peer&) = delete;
  Peer& operator=(const Peer&) = delete;
  ~Peer() { close(); }

  bool is_connected() const { return is_connected_; }

  /// Returns the error number of the last read(), or 0 if there was no error.
  int error() const { return error_; }

  /// Sends all of `data`. Returns false if that fails.
  bool send(const std::string& data) const {
    return ::write(fd_, data.data(), data.size()) == static_cast<ssize_t>(data.size());
  }

  /// Reads until there are `size` bytes, or until end of file or an error.
  std::string read(std::size_t size = std::string::npos) {
    std::string data;
    char buffer[65536];
    ssize_t count = 1;
    while (count > 0 && data.size() < size) {
      count = ::recv(fd_, buffer, std::min(sizeof buffer, size - data.size()), 0);
      if (count > 0) data.append(buffer, static_cast<std::size_t>(count));
    }
    error_ = count < 0 ? errno : 0;
    return data;
  }

  /// Tells the server that nothing more will be sent.
  void end() const { ::shutdown(fd_, SHUT_WR); }

  void close() {
    if (fd_ >= 0) ::close(std::exchange(fd_, -1));
  }

  /// Closes the connection by a reset.
  void reset() {
    const linger at_once{1, 0};
    ::setsockopt(fd_, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
    close();
  }

 private:
  int fd_;
  bool is_connected_ = false;
  int error_ = 0;
};

/// Returns the web server's response to a request.
inline std::string response_to(const std::string& request) {
  const std::string message = "Received following request:\n\n" + request;
  return "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: " +
         std::to_string(message.size()) + "\r\nConnection: close\r\n\r\n" + message;
}

const std::string hello = "GET / HTTP/1.1\r\n\r\n";

/// Returns true if a web server answers a request.
inline bool answers(int port) {
  Peer client(port);
  return client.send(hello) && client.read() == response_to(hello);
}
