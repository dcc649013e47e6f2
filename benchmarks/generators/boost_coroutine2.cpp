#include <boost/coroutine2/coroutine.hpp>

#include "sum.hpp"

using Coroutine = boost::coroutines2::coroutine<long long>;

long long sum_to(int last) {
  Coroutine::pull_type xrange([last](Coroutine::push_type& yield) {
    for (long long i = 1; i <= last; ++i) yield(i);
  });
  long long sum = 0;
  for (const long long number : xrange) {
    sum += number;
    keep(sum);
  }
  return sum;
}
