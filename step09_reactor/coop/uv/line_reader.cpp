#include "line_reader.hpp"

namespace coop {

Coroutine<std::string> LineReader::read_line() {
  while (!has_line() && !ended_) {
    std::string more = co_await io_.read();
    ended_ = more.empty();
    searched_ = buffer_.size();
    buffer_ += more;
  }
  const std::size_t end = buffer_.find('\n', searched_);
  co_return take(end == std::string::npos ? buffer_.size() : end + 1);
}

std::string LineReader::take(std::size_t size) {
  std::string line = buffer_.substr(0, size);
  buffer_.erase(0, size);
  searched_ = 0;
  return line;
}

}  // namespace coop
