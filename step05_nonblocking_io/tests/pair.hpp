#pragma once

#include <sys/socket.h>

#include <csignal>
#include <cstddef>
#include <optional>
#include <string>

#include "any_catch2.hpp"
#include "socket.hpp"

/// Two sockets that are connected to each other.
struct Pair {
  Socket here, there;
};

inline Pair connected_pair() {
  std::signal(SIGPIPE, SIG_IGN);
  int fds[2];
  REQUIRE(::socketpair(AF_UNIX, SOCK_STREAM, 0, fds) == 0);
  return {Socket(fds[0]), Socket(fds[1])};
}

/// Writes until the socket's buffer is full. Returns the number of bytes.
inline std::size_t fill(const Socket& socket) {
  const std::string data(100000, 'x');
  std::size_t size = 0;
  while (const std::optional<std::size_t> count = socket.write(data)) size += *count;
  return size;
}

/// Reads until the socket's buffer is empty. Returns the number of bytes.
inline std::size_t drain(const Socket& socket) {
  std::size_t size = 0;
  while (const std::optional<std::string> data = socket.read(100000)) size += data->size();
  return size;
}
