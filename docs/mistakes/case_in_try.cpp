// Mistake: a yield inside a try block.
// Build: -std=c++17
// g++ says: error: jump to case label
// g++ says: enters 'try' block
// clang++ says: error: cannot jump from switch statement to this case label
// clang++ says: jump bypasses initialization of try block
#include "../../step07_errors/generator.hpp"

class Catching final : public Generator<Nothing> {
  enum class State { start, in_try };
  State state_ = State::start;

  std::optional<Nothing> resume(Nothing) override {
    switch (state_) {
    case State::start:
      try {
        state_ = State::in_try;
        return Nothing{};  // yield
      case State::in_try:;
      } catch (...) {
      }
    }
    return std::nullopt;
  }
};
