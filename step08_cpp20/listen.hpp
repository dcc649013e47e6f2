#pragma once

#include <netinet/in.h>
#include <sys/socket.h>

#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <string_view>
#include <system_error>

#include "socket.hpp"

/// A socket that listens on 127.0.0.1. Port 0 is any free one. The queue of connections that wait
/// to be accepted is as long as the system allows: a short one made the article's server stall.
inline Result<Socket> listen_on(int port) {
  const Socket socket(::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  const int number = socket.number(), yes = 1;
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(static_cast<in_port_t>(port));
  if (number < 0 || ::setsockopt(number, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes) < 0 ||
      ::bind(number, reinterpret_cast<sockaddr*>(&address), sizeof address) < 0 ||
      ::listen(number, SOMAXCONN) < 0) {
    return {Socket(), {errno, std::system_category()}};
  }
  return {socket, {}};
}

/// The port that a socket is bound to. Throws `std::system_error` if the system does not say.
inline int port_of(const Socket& socket) {
  sockaddr_in address{};
  socklen_t size = sizeof address;
  if (::getsockname(socket.number(), reinterpret_cast<sockaddr*>(&address), &size) < 0)
    throw std::system_error(errno, std::system_category(), "getsockname");
  return ntohs(address.sin_port);
}

/// Returns the port in the command line, or `default_port` if there is none. If the argument isn't
/// a port, ends the program with exit status 2.
inline int port_argument(int argc, char** argv, int default_port) {
  if (argc == 1) return default_port;
  const std::string_view text = argv[1];
  int port = -1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), port);
  if (argc > 2 || error != std::errc() || end != text.data() + text.size() || port < 0 ||
      port > 65535) {
    std::cerr << "usage: " << argv[0] << " [PORT], a number from 0 to 65535\n";
    std::exit(2);
  }
  return port;
}

/// How many connections the system lets wait to be accepted, if it is fewer than listen_on() asks
/// for; else 0. More at once than that are dropped, and their clients try again a second later.
inline int short_queue() {
  int limit = SOMAXCONN;
  std::ifstream("/proc/sys/net/core/somaxconn") >> limit;
  return limit < SOMAXCONN ? limit : 0;
}

/// Is it an error of accept() that will come again at once, such as "no descriptor is free"?
inline bool will_last(const std::error_code& error) {
  return error && !try_again(error) && error != std::errc::connection_aborted;
}
