#include <iostream>
#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "generator.hpp"

struct Line {
  std::string text;
};

struct GoOnWith {
  std::string name;
};

using Message = std::variant<Line, GoOnWith>;

/// Prints each line that it is sent, with its own name in front.
class Logger final : public Generator<Nothing, Message> {
 public:
  explicit Logger(std::string name) : name_(std::move(name)) {}

 private:
  enum class At { start, receiving } at_ = At::start;
  std::string name_;

  std::optional<Nothing> resume(Message sent) override {
    switch (at_) {
    case At::start:
      while (true) {
        at_ = At::receiving;
        return Nothing{};  // sent = yield
      case At::receiving:
        if (const auto* line = std::get_if<Line>(&sent)) {
          std::cout << name_ << ": " << line->text << '\n';
        }
      }
    }
    return std::nullopt;  // never reached
  }
};

int main() {
  Logger logger("today");
  logger.send(Line{"Foo"});
  logger.send(Line{"Bar"});
  logger.send(GoOnWith{"tomorrow"});
  logger.send(Line{"Foo"});
}
