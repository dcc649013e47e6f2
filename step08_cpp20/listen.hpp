#pragma once

#include <netinet/in.h>
#include <sys/socket.h>

#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <iostream>
#include <string>
#include <string_view>
#include <system_error>

#include "socket.hpp"

/// Returns a socket that listens on 127.0.0.1. Up to 4096 clients may wait to be accepted. If the
/// port is 0, the system chooses a free one. Throws `std::system_error` if the port can't be used.
inline Socket listen_on(int port) {
  const Socket listener(::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0));
  const int yes = 1;
  ::setsockopt(listener.fd(), SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(static_cast<in_port_t>(port));
  if (::bind(listener.fd(), reinterpret_cast<sockaddr*>(&address), sizeof address) < 0 ||
      ::listen(listener.fd(), 4096) < 0) {
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

/// Listens on the port in the command line, or on `default_port`, and prints the port. If the port
/// can't be used, ends the program with exit status 1.
inline Socket start_listening(int argc, char** argv, int default_port) {
  const int port = port_argument(argc, argv, default_port);
  try {
    const Socket listener = listen_on(port);
    std::cout << "Starting server at port " << port_of(listener) << "..." << std::endl;
    return listener;
  } catch (const std::system_error& error) {
    std::cerr << error.what() << "; try another port, for example: " << argv[0] << " 0\n";
    std::exit(1);
  }
}
