// Mistake: a conversation that begins with send().
// Build: -std=c++17
// It prints: And your age?
// It prints: You are Ada, 36.
#include <iostream>
#include <string>

#include "../../step02_coroutines/generator.hpp"

class Interview final : public Generator<std::string, std::string> {
  enum class At { start, named, aged } at_ = At::start;
  std::string name_;

  std::optional<std::string> resume(std::string sent) override {
    switch (at_) {
    case At::start:
      at_ = At::named;
      return "What is your name?";  // name = yield ...
    case At::named:
      name_ = sent;
      at_ = At::aged;
      return "And your age?";  // age = yield ...
    case At::aged:
      std::cout << "You are " << name_ << ", " << sent << ".\n";
    }
    return std::nullopt;
  }
};

int main() {
  Interview interview;
  std::cout << *interview.send("Ada") << '\n';  // the first question went unheard
  interview.send("36");
}
