#pragma once

#include <any>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "co_socket.hpp"

/// What has been read from a socket and not been handed out yet.
struct LineBuffer {
  CoSocket socket;
  std::string bytes{};
};

/// The body of LineReader::readline(). It calls CoSocket::read(), as it is called itself.
class ReadingLine final : public Coroutine {
 public:
  explicit ReadingLine(std::shared_ptr<LineBuffer> buffer) : buffer_(std::move(buffer)) {}

 private:
  enum class At { start, read } at_ = At::start;
  std::shared_ptr<LineBuffer> buffer_;
  std::size_t searched_ = 0, end_ = 0;
  Result<std::string> data_;

  std::optional<Yielded> resume(Value sent) override {
    std::string& bytes = buffer_->bytes;
    switch (at_) {
    case At::start:
      while ((end_ = bytes.find('\n', searched_)) == std::string::npos) {
        searched_ = bytes.size();
        at_ = At::read;
        return buffer_->socket.read(65536);  // data = yield socket.read(65536)
      case At::read:
        data_ = std::any_cast<Result<std::string>>(std::move(sent));
        if (data_.error || data_.value.empty()) break;
        bytes += data_.value;
      }
    }
    Result<std::string> line{bytes.substr(0, end_ == std::string::npos ? end_ : end_ + 1),
                             data_.error};
    bytes.erase(0, line.value.size());
    return ReturnValue{std::move(line)};  // return line
  }
};

/// Hands out what comes from a socket line by line, but reads it in large pieces.
///
/// Recipe 12.12, readline(), which reads byte by byte; see ReadingLineByByte.
class LineReader {
 public:
  explicit LineReader(CoSocket socket)
      : buffer_(std::make_shared<LineBuffer>(LineBuffer{std::move(socket)})) {}

  /// Waits for the next line. Returns a `Result<std::string>`: the line with its '\n', without one
  /// if the stream ends in the middle of it, empty at the end.
  /// One task at a time.
  [[nodiscard]] Call readline() const { return Call{std::make_shared<ReadingLine>(buffer_)}; }

  /// Is there a whole line that need not be waited for?
  bool has_line() const { return buffer_->bytes.find('\n') != std::string::npos; }

 private:
  std::shared_ptr<LineBuffer> buffer_;
};
