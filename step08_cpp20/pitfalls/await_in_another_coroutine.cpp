// Pitfall: a coroutine of a library that knows nothing of our scheduler awaits a system call.
// g++ says: error: static assertion failed: only a Coroutine can co_await a system call
// clang++ says: error: static assertion failed
// clang++ says: only a Coroutine can co_await a system call
//
// A system call is made by a task, and only a Coroutine runs in one. Let it make the call, and give
// the other one the answer.
#include <coroutine>

#include "../process.hpp"

struct Job {
  struct promise_type {
    Job get_return_object() { return {}; }
    std::suspend_never initial_suspend() { return {}; }
    std::suspend_never final_suspend() noexcept { return {}; }
    void return_void() {}
    void unhandled_exception() {}
  };
};

Job job() {
  co_await get_task_id();
}
