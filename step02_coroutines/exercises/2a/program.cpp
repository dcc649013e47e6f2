#include <iostream>
#include <optional>

#include "generator.hpp"

/// Each number that it is sent goes in, the average of all numbers so far comes out.
class Average final : public Generator<double, double> {
  enum class At { start, yielded } at_ = At::start;
  double sum_ = 0;
  int count_ = 0;

  std::optional<double> resume(double sent) override {
    switch (at_) {
    case At::start:
      while (true) {
        at_ = At::yielded;
        return count_ == 0 ? 0 : sum_ / count_;  // sent = yield average
      case At::yielded:
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
