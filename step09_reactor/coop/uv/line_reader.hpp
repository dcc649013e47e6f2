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
  Coroutine<std::string> read_line();

  /// Is a whole line there already?
  bool has_line() const { return buffer_.find('\n', searched_) != std::string::npos; }

 private:
  std::string take(std::size_t size);

  Io& io_;
  std::string buffer_;
  std::size_t searched_ = 0;  // up to here there is no newline
  bool ended_ = false;
};

}  // namespace coop
