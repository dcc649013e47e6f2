#include <iostream>
#include <optional>
#include <sstream>
#include <string>

#include "generator.hpp"

/// The lines of a stream, one by one. Reads no line before it is asked for.
class Lines final : public Generator<std::string> {
 public:
  explicit Lines(std::istream& in) : in_(in) {}

 private:
  enum class At { start, yielded } at_ = At::start;
  std::istream& in_;
  std::string line_;

  std::optional<std::string> resume() override {
    switch (at_) {
    case At::start:
      while (std::getline(in_, line_)) {
        at_ = At::yielded;
        return line_;  // yield line
      case At::yielded:;
      }
    }
    return std::nullopt;
  }
};

int main() {
  std::istringstream in("one\ntwo\nthree\nfour\n");
  {
    Lines lines(in);
    std::cout << "first: " << lines.current().value_or("(none)") << '\n';
    lines.next();
    std::cout << "second: " << lines.current().value_or("(none)") << '\n';
  }
  std::string rest;
  std::getline(in, rest);
  std::cout << "still in the stream: " << rest << '\n';

  for (const std::string& line : Lines(in)) std::cout << "then: " << line << '\n';
}
