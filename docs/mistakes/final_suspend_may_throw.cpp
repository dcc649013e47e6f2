// Mistake: a final_suspend() without noexcept.
// Build: -std=c++20
// g++ says: error: the expression
// g++ says: is required to be non-throwing
// clang++ says: error: the expression
// clang++ says: is required to be non-throwing
#include <coroutine>
#include <exception>

struct Job {
  struct promise_type {
    Job get_return_object() { return {}; }
    std::suspend_always initial_suspend() { return {}; }
    std::suspend_always final_suspend() { return {}; }
    void return_void() {}
    void unhandled_exception() { std::terminate(); }
  };
};

Job work() {
  co_return;
}
