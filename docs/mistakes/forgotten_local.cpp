// Mistake: a local variable before the switch. Each resume creates a new one.
// Build: -std=c++17
// It prints: 1
// It prints: 1
// It prints: 1
#include <iostream>

#include "../../step01_generators/generator.hpp"

class UpTo3 final : public Generator<int> {
  enum class State { start, yielded };
  State state_ = State::start;

  std::optional<int> resume() override {
    int i = 0;  // no compiler warns
    switch (state_) {
    case State::start:
      while (i < 3) {
        ++i;
        state_ = State::yielded;
        return i;
      case State::yielded:;
      }
    }
    return std::nullopt;
  }
};

int main() {
  UpTo3 numbers;
  for (int times = 0; times < 3; ++times, numbers.next()) {
    std::cout << *numbers.current() << '\n';  // and so on, forever
  }
}
