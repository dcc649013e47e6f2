#pragma once

#include <cstddef>
#include <cstdlib>
#include <random>
#include <string>

/// Which of `n` has the next turn, as the number in the variable CHAOS_SEED has it. Each scheduler
/// has one of its own: so a test does the same alone as among others.
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
