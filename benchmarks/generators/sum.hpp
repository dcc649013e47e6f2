#pragma once

/// What each contestant defines: the sum of its own xrange(1, last).
long long sum_to(int last);

/// Anything may have become of `sum`, the optimizer must think: so it does not replace 1 + 2 + 3 +
/// ... by a formula. The processor sees nothing of it.
inline void keep(long long& sum) {
  asm("" : "+r"(sum));
}
