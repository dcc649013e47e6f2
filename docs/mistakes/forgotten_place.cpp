// Mistake: a yield without a note of the place.
// Build: -std=c++17
// It prints: one
// It prints: two
// It prints: two
// It prints: two
#include <iostream>
#include <string>

#include "../../step01_generators/generator.hpp"

class OneTwoThree final : public Generator<std::string> {
  enum class At { start, one, two, three } at_ = At::start;

  std::optional<std::string> resume() override {
    switch (at_) {
    case At::start:
      at_ = At::one;
      return "one";
    case At::one:
      return "two";  // at_ still says: one
    case At::two:
      at_ = At::three;
      return "three";
    case At::three:;
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
