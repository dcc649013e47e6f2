#pragma once

#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <string>
#include <utility>

/// The client's end of a connection. It blocks, but no operation takes longer than ten seconds.
class Peer {
 public:
  /// Connects to a port of 127.0.0.1.
  explicit Peer(int port) : fd_(::socket(AF_INET, SOCK_STREAM, 0)) {
    const timeval limit{10, 0};
    ::setsockopt(fd_, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    ::setsockopt(fd_, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.sin_port = htons(static_cast<in_port_t>(port));
    ::connect(fd_, reinterpret_cast<sockaddr*>(&address), sizeof address);
  }
  ~Peer() { close(); }
  Peer(const Peer&) = delete;
  Peer& operator=(const Peer&) = delete;

  /// Sends all of `data`, or less if the connection is lost.
  void send(const std::string& data) const {
    for (std::size_t sent = 0; sent < data.size();) {
      const ssize_t count = ::send(fd_, data.data() + sent, data.size() - sent, MSG_NOSIGNAL);
      if (count < 0) return;
      sent += static_cast<std::size_t>(count);
    }
  }

  /// Returns the data that arrives until the connection ends. error() says how it ended.
  std::string read() {
    std::string all;
    char buffer[65536];
    ssize_t count = 0;
    while ((count = ::recv(fd_, buffer, sizeof buffer, 0)) > 0) {
      all.append(buffer, static_cast<std::size_t>(count));
    }
    error_ = count < 0 ? errno : 0;
    return all;
  }

  /// Returns the `errno` of the last read, or 0 if it came to the end of the stream.
  int error() const { return error_; }

  /// Returns true if there is something to read, or if the connection has ended.
  bool is_readable() const {
    pollfd polled{fd_, POLLIN, 0};
    return ::poll(&polled, 1, 0) > 0;
  }

  /// Sends the end of the stream. Reading is still possible.
  void end() const { ::shutdown(fd_, SHUT_WR); }

  void close() {
    if (fd_ >= 0) ::close(std::exchange(fd_, -1));
  }

  /// Closes the connection with RST instead of FIN.
  void reset() {
    const linger now{1, 0};
    ::setsockopt(fd_, SOL_SOCKET, SO_LINGER, &now, sizeof now);
    close();
  }

 private:
  int fd_;
  int error_ = 0;
};
