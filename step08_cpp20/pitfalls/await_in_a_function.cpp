// Pitfall: an await in an ordinary function.
// g++ says: error: unable to find the promise type for this coroutine
// clang++ says: error: this function cannot be a coroutine
//
// A coroutine is recognized by what it returns. So whoever awaits has to be one, and its caller has
// to await in turn: `Coroutine<TaskId> next_id() {...}`.
#include "../process.hpp"

TaskId next_id() {
  co_return 1 + co_await get_task_id();
}
