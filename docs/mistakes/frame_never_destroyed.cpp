// Mistake: a coroutine's frame that is never destroyed.
// Build: -std=c++20 -g -fsanitize=address
// LeakSanitizer says: detected memory leaks
#include <coroutine>
#include <exception>

struct Job {
  struct promise_type {
    Job get_return_object() {
      return Job{std::coroutine_handle<promise_type>::from_promise(*this)};
    }
    std::suspend_always initial_suspend() { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    void return_void() {}
    void unhandled_exception() { std::terminate(); }
  };
  std::coroutine_handle<> handle;  // like a pointer: no destructor destroys the frame
};

Job work() {
  co_return;
}

int main() {
  for (int i = 0; i < 3; ++i) work().handle.resume();
}
