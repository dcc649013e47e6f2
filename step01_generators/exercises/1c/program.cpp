#include <iostream>
#include <optional>

#include "generator.hpp"
#include "take.hpp"

/// 1, 2, 3, ... without end. Says when it is resumed.
class Naturals final : public Generator<int> {
  enum class At { start, yielded } at_ = At::start;
  int i_ = 0;

  std::optional<int> resume() override {
    std::cout << "resume\n";
    switch (at_) {
    case At::start:
      for (i_ = 1;; ++i_) {
        at_ = At::yielded;
        return i_;  // yield i
      case At::yielded:;
      }
    }
    return std::nullopt;  // never reached
  }
};

int main() {
  Take three(Naturals(), 3);
  std::cout << "made\n";
  for (const int number : three) std::cout << number << '\n';
  std::cout << "end\n";
}
