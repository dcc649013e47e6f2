#pragma once

/// Returns the sum of xrange(1, last). Each contestant defines it.
long long sum_to(int last);

/// Makes the optimizer assume that `sum` may have changed, so that it doesn't replace 1 + 2 + 3 +
/// ... by a formula. This adds no instruction.
inline void keep(long long& sum) {
  asm("" : "+r"(sum));
}
