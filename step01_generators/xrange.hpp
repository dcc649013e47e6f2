#pragma once

#include <optional>
#include <stdexcept>

#include "generator.hpp"

/// The numbers from `start` to `end`, both included, `step` apart; a negative step counts down. A
/// step that leads away from `end` gives an empty range; a step of 0 is a `std::invalid_argument`.
///
/// Article: "Generators", xrange().
class Xrange final : public Generator<long long> {
 public:
  Xrange(int start, int end, int step = 1) : start_(start), end_(end), step_(step) {
    if (step == 0) throw std::invalid_argument("xrange: the step must not be 0");
  }

 private:
  enum class At { start, yielded } at_ = At::start;
  int start_, end_, step_;
  long long i_ = 0;  // wider than `end_`, so that the last addition cannot overflow

  bool in_range() const { return step_ > 0 ? i_ <= end_ : i_ >= end_; }

  std::optional<long long> resume() override {
    switch (at_) {
    case At::start:
      for (i_ = start_; in_range(); i_ += step_) {
        at_ = At::yielded;
        return i_;  // yield i
      case At::yielded:;
      }
    }
    return std::nullopt;  // the end of the function
  }
};
