#pragma once

#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <system_error>

#include "manner.hpp"

/// One client of the soak: a socket, what is still to be sent, and what has come. It never waits.
class Client {
 public:
  /// Begins to connect to a port of 127.0.0.1. It comes from one of a hundred addresses, or the
  /// ports of connections that have just ended would be missed.
  Client(long serial, int port)
      : serial_(serial),
        manner_(manner_of(serial)),
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
  const std::string& got() const { return got_; }
  int error() const { return error_; }

  /// What it waits for.
  pollfd wish() const {
    return {fd_, static_cast<short>((sending_ ? POLLOUT : 0) | (receiving_ ? POLLIN : 0)), 0};
  }

  /// Does what can be done now.
  void act(short events) {
    if (receiving_ && (events & (POLLIN | POLLERR | POLLHUP))) receive();
    if (sending_ && (events & (POLLOUT | POLLERR | POLLHUP))) send();
  }

  /// Waits for nothing any more.
  void leave() { sending_ = receiving_ = false; }
  bool is_done() const { return !sending_ && !receiving_; }
  bool is_right() const { return is_done() && error_ == 0 && ::is_right(manner_, request_, got_); }

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
      got_.append(buffer, static_cast<std::size_t>(count));
      if (manner_ == Manner::resetting) reset();
    } else if (count == 0 || errno != EAGAIN) {
      if (count < 0) error_ = errno;
      receiving_ = false;
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
      // Who goes on after the answer may find that the server has closed.
      const bool has_answer = manner_ == Manner::slow || manner_ == Manner::endless;
      if (!has_answer) error_ = errno;
      sending_ = false;
    }
  }

  void finish_sending() {
    sent_ = 0;
    sending_ = manner_ == Manner::endless;
    if (manner_ == Manner::half_closed || manner_ == Manner::cut_off) ::shutdown(fd_, SHUT_WR);
    if (manner_ == Manner::resetting && reset_moment(serial_) < 2) reset();
  }

  /// The connection will end with RST instead of FIN.
  void reset() {
    const linger now{1, 0};
    ::setsockopt(fd_, SOL_SOCKET, SO_LINGER, &now, sizeof now);
    leave();
  }

  const long serial_;
  const Manner manner_;
  const std::string request_;
  const int fd_;
  bool sending_, receiving_ = true;
  std::size_t sent_ = 0;
  std::string got_;
  int error_ = 0;
};
