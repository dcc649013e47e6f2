#pragma once

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <charconv>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <string>
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

/// Opens /dev/null in place of stdin, stdout and stderr if they are closed. Otherwise, the next
/// sockets would get their numbers, and what we print would be sent to a client.
inline void open_closed_streams() {
  int fd = 0;
  do {
    fd = ::open("/dev/null", O_RDWR);
  } while (fd >= 0 && fd <= STDERR_FILENO);
  ::close(fd);  // the one that wasn't needed
}

/// Prints a line. Drops it if stdout is a pipe that is full, because a write would stop all tasks
/// until somebody reads from the pipe.
inline void print_line(const std::string& line) {
  pollfd out{STDOUT_FILENO, POLLOUT, 0};
  if (::poll(&out, 1, 0) != 0) std::cout << line << std::endl;
}

/// Listens on the port of port_argument(), and prints it. Exits with status 1 if it can't be used.
inline Socket start_listening(int argc, char** argv, int default_port) {
  open_closed_streams();
  try {
    const Socket listener = listen_on(port_argument(argc, argv, default_port));
    print_line("Starting server at port " + std::to_string(port_of(listener)) + "...");
    return listener;
  } catch (const std::system_error& error) {
    std::cerr << error.what();
    if (error.code() == std::errc::address_in_use || error.code() == std::errc::permission_denied)
      std::cerr << "; try another port, for example: " << argv[0] << " 0";
    std::cerr << '\n';
    std::exit(1);
  }
}
