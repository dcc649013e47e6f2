#include "sum.hpp"

long long sum_to(int last) {
  long long sum = 0;
  for (long long number = 1; number <= last; ++number) {
    sum += number;
    keep(sum);
  }
  return sum;
}
