#include <iostream>
#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "generator.hpp"

struct Line {
  std::string text;
};

struct NewName {
  std::string name;
};

using Message = std::variant<Line, NewName>;

/// Prints every line that it receives, after its own name.
class Logger final : public Generator<Nothing, Message> {
 public:
  explicit Logger(std::string name) : name_(std::move(name)) {}

 private:
  enum class State { start, received };
  State state_ = State::start;
  std::string name_;

  std::optional<Nothing> resume(Message sent) override {
    switch (state_) {
    case State::start:
      while (true) {
        state_ = State::received;
        return Nothing{};  // sent = yield
      case State::received:
        if (const auto* line = std::get_if<Line>(&sent)) {
          std::cout << name_ << ": " << line->text << '\n';
        }
      }
    }
    return std::nullopt;  // never reached
  }
};

int main() {
  Logger days("today");
  days.send(Line{"Foo"});
  days.send(Line{"Bar"});
  days.send(NewName{"tomorrow"});
  days.send(Line{"Foo"});

  Logger colors("red");
  colors.send(NewName{"blue"});
  colors.send(Line{"Foo"});
}
