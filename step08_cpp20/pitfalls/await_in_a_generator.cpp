// Pitfall: a generator waits for something.
// g++ says: error: use of deleted function
// g++ says: co_await belongs in a Coroutine
// clang++ says: error: call to deleted member function 'await_transform'
// clang++ says: co_await belongs in a Coroutine
//
// Only its user can resume a generator; no scheduler knows it. Let a Coroutine await, and hand out
// what comes, or await before the loop and give the generator what it needs:
//
//   const TaskId id = co_await get_task_id();
//   for (const TaskId next : ids_from(id)) ...
#include "../generator.hpp"
#include "../process.hpp"

Generator<TaskId> ids() {
  co_yield co_await get_task_id();
}
