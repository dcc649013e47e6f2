#include <iostream>
#include <optional>

#include "generator.hpp"

/// Receives numbers, and yields the average of all numbers so far.
class Average final : public Generator<double, double> {
  enum class State { start, yielded };
  State state_ = State::start;
  double sum_ = 0;
  int count_ = 0;

  std::optional<double> resume(double sent) override {
    switch (state_) {
    case State::start:
      while (true) {
        state_ = State::yielded;
        return count_ == 0 ? 0 : sum_ / count_;  // sent = yield average
      case State::yielded:
        sum_ += sent;
        ++count_;
      }
    }
    return std::nullopt;  // never reached
  }
};

int main() {
  Average average;
  std::cout << average.current().value_or(-1) << '\n';
  for (const double number : {10.0, 20.0, 60.0}) {
    std::cout << number << " makes it " << average.send(number).value_or(-1) << '\n';
  }
  average.next();
  std::cout << "next() makes it " << average.current().value_or(-1) << '\n';
}
