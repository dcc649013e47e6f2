#include <iostream>
#include <optional>
#include <sstream>
#include <string>

#include "range_for.hpp"

/// Yields the lines of a stream, one by one. Reads each line only when it is needed.
class Lines final : public Generator<std::string> {
 public:
  explicit Lines(std::istream& in) : in_(in) {}

 private:
  enum class State { start, yielded };
  State state_ = State::start;
  std::istream& in_;
  std::string line_;

  std::optional<std::string> resume() override {
    switch (state_) {
    case State::start:
      while (std::getline(in_, line_)) {
        state_ = State::yielded;
        return line_;  // yield line
      case State::yielded:;
      }
    }
    return std::nullopt;
  }
};

int main() {
  std::istringstream in("one\ntwo\nthree\nfour\n");
  Lines lines(in);
  std::cout << "first: " << lines.current().value_or("(none)") << '\n';
  lines.next();
  std::cout << "second: " << lines.current().value_or("(none)") << '\n';

  std::string third;
  std::getline(in, third);
  std::cout << "still in the stream: " << third << '\n';

  for (const std::string& line : Lines(in)) std::cout << "then: " << line << '\n';
}
