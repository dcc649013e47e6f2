#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <utility>

#include "co_socket.hpp"

/// What has been read from a socket and not been handed out yet.
struct LineBuffer {
  explicit LineBuffer(CoSocket from) : socket(std::move(from)) {}
  CoSocket socket;
  std::string bytes{};
};

/// The body of LineReader::readline().
inline Coroutine<std::string> reading_line(std::shared_ptr<LineBuffer> buffer) {
  std::string& bytes = buffer->bytes;
  std::size_t searched = 0, end = 0;
  while ((end = bytes.find('\n', searched)) == std::string::npos) {
    searched = bytes.size();
    const std::string data = co_await buffer->socket.read(65536);
    if (data.empty()) break;
    bytes += data;
  }
  std::string line = bytes.substr(0, end == std::string::npos ? end : end + 1);
  bytes.erase(0, line.size());
  co_return line;
}

/// Hands out what comes from a socket line by line, but reads it in large pieces.
///
/// Recipe 12.12, readline(), which reads byte by byte; see step 6.
class LineReader {
 public:
  explicit LineReader(CoSocket socket) : buffer_(std::make_shared<LineBuffer>(std::move(socket))) {}

  /// Waits for the next line and gives it with its '\n', without one if the stream ends in the
  /// middle of it, empty at the end. One task at a time.
  Coroutine<std::string> readline() const { return reading_line(buffer_); }

  /// Is there a whole line that need not be waited for?
  bool has_line() const { return buffer_->bytes.find('\n') != std::string::npos; }

 private:
  std::shared_ptr<LineBuffer> buffer_;
};
