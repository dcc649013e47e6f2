#include <iostream>
#include <optional>
#include <string>
#include <utility>

#include "range_for.hpp"

/// Yields the same word several times.
class Repeat final : public Generator<std::string> {
 public:
  Repeat(std::string word, int times) : word_(std::move(word)), times_(times) {}

 private:
  enum class State { start, yielded };
  State state_ = State::start;
  std::string word_;
  int times_;
  int i_ = 0;

  std::optional<std::string> resume() override {
    switch (state_) {
    case State::start:
      for (i_ = 0; i_ < times_; ++i_) {
        state_ = State::yielded;
        return word_;  // yield word
      case State::yielded:;
      }
    }
    return std::nullopt;
  }
};

int main() {
  for (const std::string& word : Repeat("la", 3)) std::cout << word << '\n';
  for (const std::string& word : Repeat("hey", 2)) std::cout << word << '\n';
}
