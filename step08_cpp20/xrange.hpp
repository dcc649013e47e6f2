#pragma once

#include <stdexcept>

#include "generator.hpp"

/// The body of xrange(). The counter is wider than `end`, so that the last addition cannot
/// overflow.
inline Generator<long long> counting(int start, int end, int step) {
  for (long long i = start; step > 0 ? i <= end : i >= end; i += step) {
    co_yield i;
  }
}

/// The numbers from `start` to `end`, both included, `step` apart; a negative step counts down. A
/// step that leads away from `end` gives an empty range; a step of 0 is a `std::invalid_argument`.
///
/// A plain function: what it checks is checked when it is called, not at the first use.
///
/// Article: "Generators", xrange().
inline Generator<long long> xrange(int start, int end, int step = 1) {
  if (step == 0) throw std::invalid_argument("xrange: the step must not be 0");
  return counting(start, end, step);
}
