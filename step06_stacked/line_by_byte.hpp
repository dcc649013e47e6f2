#pragma once

#include <any>
#include <optional>
#include <string>
#include <utility>

#include "co_socket.hpp"

/// The recipe's way to read a line: a byte at a time, each with a wait of its own. For comparison
/// with LineReader.
///
/// Recipe 12.12, readline().
class ReadingLineByByte final : public Coroutine {
 public:
  explicit ReadingLineByByte(CoSocket socket) : socket_(std::move(socket)) {}

 private:
  enum class At { start, read } at_ = At::start;
  CoSocket socket_;
  Result<std::string> byte_;
  std::string line_;

  std::optional<Yielded> resume(Value sent) override {
    switch (at_) {
    case At::start:
      do {
        at_ = At::read;
        return socket_.read(1);  // byte = yield socket.read(1)
      case At::read:
        byte_ = std::any_cast<Result<std::string>>(std::move(sent));
        line_ += byte_.value;
      } while (!byte_.value.empty() && byte_.value != "\n");
    }
    return ReturnValue{Result<std::string>{line_, byte_.error}};  // return line
  }
};
