#pragma once

#include <any>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "readline.hpp"

/// Reads lines from a socket. A connection has one reader, which reads all of its data.
class LineReader {
 public:
  explicit LineReader(CoSocket socket) : socket_(std::move(socket)) {}

  /// Waits for the next line. Returns a `std::string` with the line and its '\n'. If the stream
  /// ends before the '\n', it returns the rest, and at end of file an empty string.
  ///
  /// The reader must not be moved or destroyed during the call.
  Call next() { return readline(socket_); }

 private:
  CoSocket socket_;
};
