#pragma once

#include <charconv>
#include <cstdlib>
#include <cstring>
#include <iostream>

/// Reads a whole number from `least` to `most`. Returns false, and leaves `number` as it is, if the
/// text is something else.
inline bool read_number(const char* text, int least, int most, int& number) {
  int value = 0;
  const char* const end = text + std::strlen(text);
  const auto [stopped, error] = std::from_chars(text, end, value);
  if (error != std::errc() || stopped != end || value < least || value > most) return false;
  number = value;
  return true;
}

/// Returns the port in the command line, or `default_port` if there is none. If the argument isn't
/// a port, ends the program with exit status 2.
inline int port_argument(int argc, char** argv, int default_port) {
  int port = default_port;
  if (argc > 2 || (argc == 2 && !read_number(argv[1], 0, 65535, port))) {
    std::cerr << "usage: " << argv[0] << " [PORT], a number from 0 to 65535\n";
    std::exit(2);
  }
  return port;
}
