#include "range_for.hpp"
#include "sum.hpp"
#include "xrange.hpp"

long long sum_to(int last) {
  long long sum = 0;
  for (const long long number : xrange(1, last)) {
    sum += number;
    keep(sum);
  }
  return sum;
}
