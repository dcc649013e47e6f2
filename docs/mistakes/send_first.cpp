// Build: -std=c++17
#include <iostream>
#include <string>

#include "../../step02_coroutines/generator.hpp"

class Interview final : public Generator<std::string, std::string> {
  enum class State { start, named, aged };
  State state_ = State::start;
  std::string name_;

  std::optional<std::string> resume(std::string sent) override {
    switch (state_) {
    case State::start:
      state_ = State::named;
      return "What is your name?";  // name = yield ...
    case State::named:
      name_ = sent;
      state_ = State::aged;
      return "And your age?";  // age = yield ...
    case State::aged:
      std::cout << "You are " << name_ << ", " << sent << ".\n";
    }
    return std::nullopt;
  }
};

int main() {
  Interview interview;
  std::cout << *interview.send("Ada") << '\n';
  interview.send("36");
}

// Mistake: the first call to a generator is send().
// It prints: And your age?
// It prints: You are Ada, 36.
