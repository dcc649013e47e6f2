#pragma once

#include <charconv>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <system_error>

#include "listen.hpp"

/// Returns the port in the command line, or `default_port`. Exits with status 2 if it isn't a port.
inline int port_argument(int argc, char** argv, int default_port) {
  if (argc == 1) return default_port;
  std::uint16_t port = 0;
  const auto [end, error] = std::from_chars(argv[1], argv[1] + std::strlen(argv[1]), port);
  if (argc > 2 || error != std::errc() || *end != '\0') {
    std::cerr << "usage: " << argv[0] << " [PORT], a number from 0 to 65535\n";
    std::exit(2);
  }
  return port;
}

/// Listens on the port of port_argument(), and prints it. Exits with status 1 if it can't be used.
inline Socket start_listening(int argc, char** argv, int default_port) {
  try {
    const Socket listener = listen_on(port_argument(argc, argv, default_port));
    std::cout << "Starting server at port " << port_of(listener) << "..." << std::endl;
    return listener;
  } catch (const std::system_error& error) {
    std::cerr << error.what() << "; try another port, for example: " << argv[0] << " 0\n";
    std::exit(1);
  }
}
