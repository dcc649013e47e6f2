// Pitfall: a co_await in an ordinary function.
// g++ says: error: unable to find the promise type for this coroutine
// clang++ says: error: this function cannot be a coroutine
//
// The return type of a function decides whether it can be a coroutine. Return a Coroutine, and
// await it in the caller: `Coroutine<TaskId> next_id() {...}`.
#include "../process.hpp"

TaskId next_id() {
  co_return 1 + co_await get_task_id();
}
