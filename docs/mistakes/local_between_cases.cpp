// Mistake: a local variable in resume().
// Build: -std=c++17
// g++ says: error: jump to case label
// g++ says: crosses initialization of 'int i'
// clang++ says: error: cannot jump from switch statement to this case label
// clang++ says: jump bypasses variable initialization
#include "../../step01_generators/generator.hpp"

class UpTo3 final : public Generator<int> {
  enum class State { start, yielded };
  State state_ = State::start;

  std::optional<int> resume() override {
    switch (state_) {
    case State::start:
      for (int i = 1; i <= 3; ++i) {  // the case below jumps over this
        state_ = State::yielded;
        return i;
      case State::yielded:;
      }
    }
    return std::nullopt;
  }
};
