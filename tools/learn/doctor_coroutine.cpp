// Do C++20 coroutines work here? Compiles, and exits with 0, if they do; see tools/learn/doctor.
#include <coroutine>

struct Counting {
  struct promise_type {
    int value = 0;
    Counting get_return_object() {
      return {std::coroutine_handle<promise_type>::from_promise(*this)};
    }
    std::suspend_always initial_suspend() noexcept { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    std::suspend_always yield_value(int next) {
      value = next;
      return {};
    }
    void return_void() {}
    void unhandled_exception() {}
  };
  std::coroutine_handle<promise_type> body;
};

Counting count_to(int end) {
  for (int i = 1; i <= end; ++i) co_yield i;
}

int main() {
  const Counting counting = count_to(3);
  int sum = 0;
  for (counting.body.resume(); !counting.body.done(); counting.body.resume()) {
    sum += counting.body.promise().value;
  }
  counting.body.destroy();
  return sum == 6 ? 0 : 1;
}
