// Mistake: final_suspend() does not suspend, so the frame is destroyed twice.
// Build: -std=c++20 -g -fsanitize=address
// AddressSanitizer says: heap-use-after-free
#include <coroutine>
#include <exception>

struct Job {
  struct promise_type {
    Job get_return_object() {
      return Job{std::coroutine_handle<promise_type>::from_promise(*this)};
    }
    std::suspend_always initial_suspend() { return {}; }
    std::suspend_never final_suspend() noexcept { return {}; }  // destroys the frame
    void return_void() {}
    void unhandled_exception() { std::terminate(); }
  };
  std::coroutine_handle<> handle;
};

Job work() {
  co_return;
}

int main() {
  const Job job = work();
  job.handle.resume();
  job.handle.destroy();  // destroys it again
}
