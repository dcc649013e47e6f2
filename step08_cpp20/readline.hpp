#pragma once

#include <cstddef>
#include <string>
#include <system_error>

#include "co_socket.hpp"

/// The number of bytes that a line may have. A longer one could fill the memory.
constexpr std::size_t longest_line = 1000000;

/// Waits for the next line. Returns the line and its '\n'. If the stream ends before the '\n', it
/// returns the rest, and at end of file an empty string. If the line is longer than `longest_line`,
/// throws `std::errc::message_size` into the caller.
///
/// Recipe 12.12, readline().
inline Coroutine<std::string> readline(CoSocket socket) {
  std::string byte, line;
  do {
    byte = co_await socket.read(1);
    line += byte;
    if (line.size() > longest_line)
      throw std::system_error(std::make_error_code(std::errc::message_size));
  } while (!byte.empty() && byte != "\n");
  co_return line;
}
