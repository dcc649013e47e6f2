#include <iostream>
#include <ranges>

#include "generator.hpp"

/// 1, 2, 3, ... without end. Article: "Generators", infinite data streams.
Generator<long long> naturals() {
  for (long long i = 1;; ++i) {
    co_yield i;
  }
}

int main() {
  for (const long long number : naturals() | std::views::take(5)) {
    std::cout << number << '\n';
  }
}
