#include <iostream>
#include <optional>

#include "generator.hpp"
#include "take.hpp"
#include "usage.hpp"

/// 1, 2, 3, ... without end. Article: "Generators", infinite data streams.
class Naturals final : public Generator<long long> {
  enum class At { start, yielded } at_ = At::start;
  long long i_ = 0;

  std::optional<long long> resume() override {
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

int main(int argc, char** argv) {
  if (argc > 1) return usage(argv, "naturals   (prints the first five of an endless stream)");

  for (const long long number : Take(Naturals(), 5)) {
    std::cout << number << '\n';
  }
}
