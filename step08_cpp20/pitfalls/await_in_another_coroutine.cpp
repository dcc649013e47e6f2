// Pitfall: a coroutine of another library awaits a system call of ours.
// g++ says: error: cannot convert 'Job::promise_type*' to 'Promise*'
// clang++ says: error: incompatible pointer types assigning to 'Promise *'
//
// Only a task can make a system call, and only a Coroutine runs in a task. Await in a Coroutine,
// and pass the result to the other coroutine.
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
