#include <sys/socket.h>

#include <any>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "line_reader.hpp"

/// Reads lines to end of file and prints how many there are.
class CountLines final : public Coroutine {
 public:
  explicit CountLines(CoSocket socket) : reader_(std::move(socket)) {}

 private:
  enum class State { start, got_line };
  State state_ = State::start;
  LineReader reader_;
  int lines_ = 0;

  std::optional<Yielded> resume(Value sent) override {
    switch (state_) {
    case State::start:
      while (true) {
        state_ = State::got_line;
        return reader_.next();  // line = yield reader.next()
      case State::got_line:
        if (std::any_cast<std::string>(sent).empty()) break;
        ++lines_;
      }
    }
    std::cout << lines_ << " lines\n";
    return std::nullopt;
  }
};

int main() {
  int ends[2];
  ::socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, ends);
  std::string text;
  for (int i = 0; i < 1000; ++i) text += std::string(63, 'x') + '\n';
  Socket(ends[0]).write(text);  // and closes this end

  // All data has arrived, so every wait is over immediately, and the task needs no scheduler.
  Task task(std::make_shared<CountLines>(CoSocket(Socket(ends[1]))));
  int turns = 1;
  while (task.run()) ++turns;
  std::cout << turns << " turns\n";
}
