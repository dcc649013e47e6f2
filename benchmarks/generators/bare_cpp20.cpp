#include <coroutine>
#include <exception>

#include "sum.hpp"

namespace {

/// The smallest generator: a frame with a place for the value.
struct Numbers {
  struct promise_type {
    long long value = 0;

    Numbers get_return_object() { return {Handle::from_promise(*this)}; }
    std::suspend_always initial_suspend() const noexcept { return {}; }
    std::suspend_always final_suspend() const noexcept { return {}; }
    std::suspend_always yield_value(long long number) noexcept {
      value = number;
      return {};
    }
    void return_void() const noexcept {}
    void unhandled_exception() const noexcept { std::terminate(); }
  };
  using Handle = std::coroutine_handle<promise_type>;

  Handle handle;

  ~Numbers() { handle.destroy(); }
  bool next() const {
    handle.resume();
    return !handle.done();
  }
};

Numbers xrange(int start, int end) {
  for (long long i = start; i <= end; ++i) {
    co_yield i;
  }
}

}  // namespace

long long sum_to(int last) {
  long long sum = 0;
  const Numbers numbers = xrange(1, last);
  while (numbers.next()) {
    sum += numbers.handle.promise().value;
    keep(sum);
  }
  return sum;
}
