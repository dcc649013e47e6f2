#pragma once

#include <string>

#include "io.hpp"

namespace coop {

/// Reads lines from an Io, which outlives it. One task at a time.
class LineReader {
 public:
  explicit LineReader(Io& io) : io_(io) {}

  /// The next line, with the newline at its end. The last one may have none; after it, and at the
  /// end, there is an empty one.
  Coroutine<std::string> read_line() {
    while (!has_line() && !ended_) {
      std::string more = co_await io_.read();
      ended_ = more.empty();
      searched_ = buffer_.size();
      buffer_ += more;
    }
    const std::size_t end = buffer_.find('\n', searched_);
    co_return take(end == std::string::npos ? buffer_.size() : end + 1);
  }

  /// Is a whole line there already?
  bool has_line() const { return buffer_.find('\n', searched_) != std::string::npos; }

 private:
  std::string take(std::size_t size) {
    std::string line = buffer_.substr(0, size);
    buffer_.erase(0, size);
    searched_ = 0;
    return line;
  }

  Io& io_;
  std::string buffer_;
  std::size_t searched_ = 0;  // up to here there is no newline
  bool ended_ = false;
};

}  // namespace coop
