#include <iostream>
#include <ranges>

#include "generator.hpp"
#include "usage.hpp"

/// 1, 2, 3, ... without end. Article: "Generators", infinite data streams.
Generator<long long> naturals() {
  for (long long i = 1;; ++i) {
    co_yield i;
  }
}

int main(int argc, char** argv) {
  if (argc > 1) return usage(argv, "naturals   (prints the first five of an endless stream)");

  for (const long long number : naturals() | std::views::take(5)) {
    std::cout << number << '\n';
  }
}
