#include <iostream>
#include <optional>

#include "range_for.hpp"

/// Yields 1, 2, 3, ... up to `top`.
class UpAndDown final : public Generator<int> {
 public:
  explicit UpAndDown(int top) : top_(top) {}

 private:
  enum class State { start, yielded };
  State state_ = State::start;
  int top_;
  int i_ = 0;

  std::optional<int> resume() override {
    switch (state_) {
    case State::start:
      for (i_ = 1; i_ <= top_; ++i_) {
        state_ = State::yielded;
        return i_;  // yield i
      case State::yielded:;
      }
    }
    return std::nullopt;
  }
};

int main() {
  for (const int top : {3, 1, 0}) {
    std::cout << "top " << top << ':';
    for (const int number : UpAndDown(top)) std::cout << ' ' << number;
    std::cout << '\n';
  }
}
