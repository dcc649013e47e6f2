// Mistake: a yield inside of a try block.
// Build: -std=c++17
// g++ says: error: jump to case label
// g++ says: enters 'try' block
// clang++ says: error: cannot jump from switch statement to this case label
// clang++ says: jump bypasses initialization of try block
#include <exception>
#include <iostream>

#include "../../step07_errors/generator.hpp"

class Catching final : public Generator<Nothing> {
  enum class At { start, in_try } at_ = At::start;

  std::optional<Nothing> resume(Nothing) override {
    switch (at_) {
    case At::start:
      try {
        at_ = At::in_try;
        return Nothing{};  // yield
      case At::in_try:;
      } catch (const std::exception& e) {
        std::cout << "Exception: " << e.what() << '\n';
      }
    }
    return std::nullopt;
  }
};
