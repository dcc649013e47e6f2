#pragma once

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstddef>
#include <string>
#include <system_error>

#include "manner.hpp"

/// A client of the crowd. Its operations never block.
class Client {
 public:
  using Clock = std::chrono::steady_clock;

  /// Begins to connect to a port of 127.0.0.1. The clients have a hundred addresses, because the
  /// ports of a single address are in use for a minute after the end of their connections.
  Client(long serial, Manner manner, int port)
      : serial_(serial),
        manner_(manner),
        request_(request_of(manner_, serial)),
        fd_(::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0)),
        sending_(manner_ != Manner::silent) {
    const int yes = 1;
    const sockaddr_in own = address(2 + static_cast<in_addr_t>(serial % 100), 0);
    const sockaddr_in server = address(1, port);
    if (::setsockopt(fd_, IPPROTO_IP, IP_BIND_ADDRESS_NO_PORT, &yes, sizeof yes) < 0 ||
        ::bind(fd_, reinterpret_cast<const sockaddr*>(&own), sizeof own) < 0 ||
        (::connect(fd_, reinterpret_cast<const sockaddr*>(&server), sizeof server) < 0 &&
         errno != EINPROGRESS)) {
      throw std::system_error(errno, std::system_category(), "cannot connect");
    }
  }
  ~Client() { ::close(fd_); }
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  long serial() const { return serial_; }
  Manner manner() const { return manner_; }
  const std::string& response() const { return response_; }
  int error() const { return error_; }
  Clock::duration age() const { return Clock::now() - start_; }

  /// Returns how many packets have been sent again, because the system has dropped them.
  unsigned sent_again() const {
    tcp_info info{};
    socklen_t size = sizeof info;
    ::getsockopt(fd_, IPPROTO_TCP, TCP_INFO, &info, &size);
    return info.tcpi_total_retrans;
  }

  /// Returns the events that the client waits for.
  pollfd wish() const {
    return {fd_, static_cast<short>((sending_ ? POLLOUT : 0) | (receiving_ ? POLLIN : 0)), 0};
  }

  /// Sends and receives as much as is possible now.
  void act(short events) {
    if (receiving_ && (events & (POLLIN | POLLERR | POLLHUP))) receive();
    if (sending_ && (events & (POLLOUT | POLLERR | POLLHUP))) send();
  }

  /// Makes the client finish.
  void leave() { sending_ = receiving_ = false; }
  bool is_done() const { return !sending_ && !receiving_; }

  /// Returns true if the client has finished without an error and with the right response.
  bool is_right() const {
    return is_done() && error_ == 0 && ::is_right(manner_, request_, response_);
  }

 private:
  static sockaddr_in address(in_addr_t host, int port) {
    sockaddr_in result{};
    result.sin_family = AF_INET;
    result.sin_addr.s_addr = htonl((127U << 24) + host);
    result.sin_port = htons(static_cast<in_port_t>(port));
    return result;
  }

  void receive() {
    char buffer[65536];
    const std::size_t most = manner_ == Manner::resetting ? 10 : sizeof buffer;
    const ssize_t count = ::recv(fd_, buffer, most, 0);
    if (count > 0) {
      response_.append(buffer, static_cast<std::size_t>(count));
      if (manner_ == Manner::resetting) reset();
    } else if (count == 0 || errno != EAGAIN) {
      if (count < 0) error_ = errno;
      receiving_ = false;
      if (manner_ == Manner::endless) sending_ = false;
    }
  }

  void send() {
    const char* const rest = request_.data() + sent_;
    const std::size_t size = manner_ == Manner::slow ? 1 : request_.size() - sent_;
    const ssize_t count = ::send(fd_, rest, size, MSG_NOSIGNAL);
    if (count >= 0) {
      sent_ += static_cast<std::size_t>(count);
      if (sent_ == request_.size()) finish_sending();
    } else if (errno != EAGAIN) {
      error_ = errno;
      sending_ = false;
    }
  }

  void finish_sending() {
    sent_ = 0;
    sending_ = manner_ == Manner::endless;
    if (manner_ == Manner::half_closed || manner_ == Manner::cut_off) ::shutdown(fd_, SHUT_WR);
    if (manner_ == Manner::resetting && reset_moment(serial_) < 2) reset();
  }

  /// Makes the client finish with RST instead of FIN.
  void reset() {
    const linger now{1, 0};
    ::setsockopt(fd_, SOL_SOCKET, SO_LINGER, &now, sizeof now);
    leave();
  }

  const long serial_;
  const Manner manner_;
  const std::string request_;
  const int fd_;
  const Clock::time_point start_ = Clock::now();
  bool sending_, receiving_ = true;
  std::size_t sent_ = 0;
  std::string response_;
  int error_ = 0;
};
