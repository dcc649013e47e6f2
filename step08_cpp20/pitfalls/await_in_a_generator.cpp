// Pitfall: a co_await in a generator.
// g++ says: error: cannot convert 'Generator<long long int>::promise_type*' to 'Promise*'
// clang++ says: error: incompatible pointer types assigning to 'Promise *'
//
// A generator doesn't run in a task, so no scheduler could resume it. Await before the loop, and
// pass the result to the generator:
//
//   const TaskId id = co_await get_task_id();
//   for (const TaskId next : ids_from(id)) ...
#include "../generator.hpp"
#include "../process.hpp"

Generator<TaskId> ids() {
  co_yield co_await get_task_id();
}
