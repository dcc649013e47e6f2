#include <generator>

#include "sum.hpp"

namespace {

std::generator<long long> xrange(int start, int end) {
  for (long long i = start; i <= end; ++i) {
    co_yield i;
  }
}

}  // namespace

long long sum_to(int last) {
  long long sum = 0;
  for (const long long number : xrange(1, last)) {
    sum += number;
    keep(sum);
  }
  return sum;
}
