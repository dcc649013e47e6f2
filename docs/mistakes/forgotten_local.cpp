// Mistake: a local variable above the switch, which begins anew at each resume.
// Build: -std=c++17
// It prints: 1
// It prints: 1
// It prints: 1
#include <iostream>

#include "../../step01_generators/generator.hpp"

class UpTo3 final : public Generator<int> {
  enum class At { start, yielded } at_ = At::start;

  std::optional<int> resume() override {
    int i = 0;  // no compiler minds
    switch (at_) {
    case At::start:
      while (i < 3) {
        ++i;
        at_ = At::yielded;
        return i;
      case At::yielded:;
      }
    }
    return std::nullopt;
  }
};

int main() {
  UpTo3 numbers;
  for (int times = 0; times < 3; ++times, numbers.next()) {
    std::cout << *numbers.current() << '\n';  // and so on, for ever
  }
}
