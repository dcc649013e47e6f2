#pragma once

#include <cstddef>
#include <cstdlib>
#include <random>
#include <string>

/// Chooses the task that has the next turn, at random. The seed is in the variable CHAOS_SEED. Each
/// scheduler has its own generator, so that a test runs in the same order alone and after other
/// tests.
class AnyOrder {
 public:
  std::size_t operator()(std::size_t n) { return random_() % n; }

 private:
  static unsigned seed() {
    const char* const text = std::getenv("CHAOS_SEED");
    return text ? static_cast<unsigned>(std::stoul(text)) : 0;
  }

  std::mt19937 random_{seed()};
};
