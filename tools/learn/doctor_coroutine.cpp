// Do C++20 coroutines work here? Compiles, and exits with 0, if they do; see tools/learn/doctor.
#include <coroutine>

struct Body {
  struct promise_type {
    Body get_return_object() { return {std::coroutine_handle<promise_type>::from_promise(*this)}; }
    std::suspend_always initial_suspend() noexcept { return {}; }
    std::suspend_never final_suspend() noexcept { return {}; }
    void return_void() {}
    void unhandled_exception() {}
  };
  std::coroutine_handle<promise_type> handle;
};

Body count(int& parts) {
  ++parts;
  co_await std::suspend_always();
  ++parts;
}

int main() {
  int parts = 0;
  const Body body = count(parts);
  for (int resumed = 0; resumed < 2; ++resumed) body.handle.resume();
  return parts == 2 ? 0 : 1;
}
