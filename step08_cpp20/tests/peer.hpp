#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <string>
#include <utility>

/// The other side of a connection, for tests: blocking, and as rude as told. Nothing here waits
/// longer than ten seconds.
class Peer {
 public:
  explicit Peer(int port, int receive_buffer = 0) : fd_(::socket(AF_INET, SOCK_STREAM, 0)) {
    if (receive_buffer > 0)
      ::setsockopt(fd_, SOL_SOCKET, SO_RCVBUF, &receive_buffer, sizeof receive_buffer);
    const timeval limit{10, 0};
    ::setsockopt(fd_, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    ::setsockopt(fd_, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.sin_port = htons(static_cast<in_port_t>(port));
    connected_ = ::connect(fd_, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0;
  }
  ~Peer() { close(); }
  Peer(Peer&& other) noexcept
      : fd_(std::exchange(other.fd_, -1)), connected_(other.connected_), error_(other.error_) {}
  Peer(const Peer&) = delete;
  Peer& operator=(const Peer&) = delete;

  bool connected() const { return connected_; }

  /// The errno that ended the last read; 0 if it was the end of the stream.
  int error() const { return error_; }

  bool send(const std::string& data) const {
    std::size_t sent = 0;
    while (sent < data.size()) {
      const ssize_t count = ::send(fd_, data.data() + sent, data.size() - sent, MSG_NOSIGNAL);
      if (count < 0) return false;
      sent += static_cast<std::size_t>(count);
    }
    return true;
  }

  /// What comes until there are `most` bytes, the stream ends or fails.
  std::string read(std::size_t most = std::string::npos) {
    std::string all;
    char buffer[65536];
    error_ = 0;
    while (all.size() < most) {
      const std::size_t size = std::min(sizeof buffer, most - all.size());
      const ssize_t count = ::recv(fd_, buffer, size, 0);
      if (count < 0) error_ = errno;
      if (count <= 0) break;
      all.append(buffer, static_cast<std::size_t>(count));
    }
    return all;
  }

  /// Has something, or the end, come within so long?
  bool readable_within(std::chrono::milliseconds time) const {
    pollfd polled{fd_, POLLIN, 0};
    return ::poll(&polled, 1, static_cast<int>(time.count())) > 0;
  }

  /// "I shall not send any more."
  void end() const { ::shutdown(fd_, SHUT_WR); }

  void close() {
    if (fd_ >= 0) ::close(std::exchange(fd_, -1));
  }

  /// Ends with RST instead of FIN.
  void reset() {
    const linger now{1, 0};
    ::setsockopt(fd_, SOL_SOCKET, SO_LINGER, &now, sizeof now);
    close();
  }

 private:
  int fd_;
  bool connected_ = false;
  int error_ = 0;
};
