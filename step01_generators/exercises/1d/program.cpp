#include <iostream>
#include <optional>

#include "generator.hpp"

/// 1, 2, 3, ... up to `top`.
class Up final : public Generator<int> {
 public:
  explicit Up(int top) : top_(top) {}

 private:
  enum class At { start, yielded } at_ = At::start;
  int top_, i_ = 0;

  std::optional<int> resume() override {
    switch (at_) {
    case At::start:
      for (i_ = 1; i_ <= top_; ++i_) {
        at_ = At::yielded;
        return i_;  // yield i
      case At::yielded:;
      }
    }
    return std::nullopt;
  }
};

int main() {
  for (const int number : Up(3)) std::cout << number << '\n';
}
