#pragma once

#include <any>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <utility>

#include "co_socket.hpp"

/// The number of bytes that a line may have. A longer one could fill the memory.
constexpr std::size_t longest_line = 1000000;

/// The body of readline().
class ReadLine final : public Coroutine {
 public:
  explicit ReadLine(CoSocket socket) : socket_(std::move(socket)) {}

 private:
  enum class State { start, got_byte };
  State state_ = State::start;
  CoSocket socket_;
  std::string byte_, line_;

  std::optional<Yielded> resume(Value sent) override {
    switch (state_) {
    case State::start:
      do {
        state_ = State::got_byte;
        return socket_.read(1);  // byte = yield socket.read(1)
      case State::got_byte:
        byte_ = std::any_cast<std::string>(sent);
        line_ += byte_;
        if (line_.size() > longest_line)
          throw std::system_error(std::make_error_code(std::errc::message_size));
      } while (!byte_.empty() && byte_ != "\n");
    }
    return ReturnValue{line_};  // return line
  }
};

/// Waits for the next line. Returns a `std::string` with the line and its '\n'. If the stream ends
/// before the '\n', it returns the rest, and at end of file an empty string. If the line is longer
/// than `longest_line`, throws `std::errc::message_size` into the caller.
///
/// Recipe 12.12, readline().
inline Call readline(const CoSocket& socket) {
  return Call{std::make_shared<ReadLine>(socket)};
}
