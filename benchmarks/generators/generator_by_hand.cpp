#include "range_for.hpp"
#include "sum.hpp"
#include "xrange.hpp"

long long sum_to(int last) {
  long long sum = 0;
  Xrange numbers(1, last);
  for (const int number : numbers) {
    sum += number;
    keep(sum);
  }
  return sum;
}
