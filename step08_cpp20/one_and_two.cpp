#include <coroutine>
#include <exception>
#include <iostream>

struct Numbers {
  struct promise_type {
    int value = 0;  // yielded last

    Numbers get_return_object() {
      return {std::coroutine_handle<promise_type>::from_promise(*this)};
    }
    std::suspend_always initial_suspend() { return {}; }
    std::suspend_always yield_value(int yielded) {
      value = yielded;
      return {};
    }
    void return_void() {}
    void unhandled_exception() { std::terminate(); }
    std::suspend_always final_suspend() noexcept { return {}; }
  };

  std::coroutine_handle<promise_type> handle;
};

Numbers one_and_two() {
  for (int i = 1; i <= 2; ++i) {
    std::cout << "running\n";
    co_yield i;
  }
}

int main() {
  const Numbers numbers = one_and_two();
  std::cout << "nothing has run yet\n";
  for (numbers.handle.resume(); !numbers.handle.done(); numbers.handle.resume()) {
    std::cout << numbers.handle.promise().value << '\n';
  }
  numbers.handle.destroy();
}
