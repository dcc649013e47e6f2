// Mistake: a yield that does not store its state.
// Build: -std=c++17
// It prints: one
// It prints: two
// It prints: two
// It prints: two
#include <iostream>
#include <string>

#include "../../step01_generators/generator.hpp"

class OneTwoThree final : public Generator<std::string> {
  enum class State { start, one, two, three };
  State state_ = State::start;

  std::optional<std::string> resume() override {
    switch (state_) {
    case State::start:
      state_ = State::one;
      return "one";
    case State::one:
      return "two";  // state_ is still State::one
    case State::two:
      state_ = State::three;
      return "three";
    case State::three:;
    }
    return std::nullopt;
  }
};

int main() {
  OneTwoThree words;
  for (int times = 0; times < 4; ++times, words.next()) {
    std::cout << *words.current() << '\n';
  }
}
