#pragma once

#include <netinet/in.h>
#include <sys/socket.h>

#include <cerrno>
#include <csignal>
#include <string>
#include <system_error>

#include "socket.hpp"

/// Returns a socket that listens on 127.0.0.1. Up to 4096 clients may wait to be accepted. If the
/// port is 0, the system chooses a free one. Throws `std::system_error` if the port can't be used.
/// From now on, a write to a broken connection or pipe only fails, and doesn't end the process.
inline Socket listen_on(int port) {
  std::signal(SIGPIPE, SIG_IGN);
  const int fd = ::socket(AF_INET, SOCK_STREAM, 0);
  if (fd < 0) throw std::system_error(errno, std::system_category(), "Cannot open a socket");
  const Socket listener(fd);
  const int yes = 1;
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(static_cast<in_port_t>(port));
  if (::setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes) < 0 ||
      ::bind(fd, reinterpret_cast<sockaddr*>(&address), sizeof address) < 0 ||
      ::listen(fd, 4096) < 0) {
    throw std::system_error(errno, std::system_category(),
                            "Cannot listen on port " + std::to_string(port));
  }
  return listener;
}

/// Returns the port that a socket listens on.
inline int port_of(const Socket& listener) {
  sockaddr_in address{};
  socklen_t size = sizeof address;
  ::getsockname(listener.fd(), reinterpret_cast<sockaddr*>(&address), &size);
  return ntohs(address.sin_port);
}
