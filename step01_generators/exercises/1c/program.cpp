#include <iostream>
#include <optional>

#include "range_for.hpp"

/// Yields 1, 2, 3, ... without end, and prints a line each time that its body is resumed.
class Naturals final : public Generator<int> {
  enum class State { start, yielded };
  State state_ = State::start;
  int i_ = 0;

  std::optional<int> resume() override {
    std::cout << "resume\n";
    switch (state_) {
    case State::start:
      for (i_ = 1;; ++i_) {
        state_ = State::yielded;
        return i_;  // yield i
      case State::yielded:;
      }
    }
    return std::nullopt;  // never reached
  }
};

/// Yields the first `count` numbers of another generator.
class Take final : public Generator<int> {
 public:
  Take(Generator<int>& source, int count) : source_(source), count_(count) {}

 private:
  enum class State { start, yielded };
  State state_ = State::start;
  Generator<int>& source_;
  int count_;
  int i_ = 0;

  std::optional<int> resume() override {
    switch (state_) {
    case State::start:
      for (i_ = 0; i_ < count_; ++i_) {
        if (i_ > 0) source_.next();
        state_ = State::yielded;
        return source_.current();  // yield the current number of the source
      case State::yielded:;
      }
    }
    return std::nullopt;
  }
};

int main() {
  Naturals naturals;
  Take three(naturals, 3);
  std::cout << "created\n";
  for (const int number : three) std::cout << number << '\n';
  std::cout << "finished\n";
}
