// Mistake: a coroutine that has finished is resumed.
// Build: -std=c++20 -g -fsanitize=address
// AddressSanitizer says: SEGV on unknown address
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
  std::coroutine_handle<> handle;
};

Job work() {
  co_return;
}

int main() {
  const Job job = work();
  job.handle.resume();  // runs to the end of the body
  job.handle.resume();  // if (!job.handle.done()) is missing
  job.handle.destroy();
}
