#include <iostream>
#include <optional>
#include <string>
#include <utility>

#include "generator.hpp"

/// The same word, so many times.
class Repeat final : public Generator<std::string> {
 public:
  Repeat(std::string word, int times) : word_(std::move(word)), times_(times) {}

 private:
  enum class At { start, yielded } at_ = At::start;
  std::string word_;
  int times_, i_ = 0;

  std::optional<std::string> resume() override {
    switch (at_) {
    case At::start:
      for (i_ = 0; i_ < times_; ++i_) {
        at_ = At::yielded;
        return word_;  // yield word
      case At::yielded:;
      }
    }
    return std::nullopt;
  }
};

int main() {
  for (const std::string& word : Repeat("la", 3)) std::cout << word << '\n';
}
