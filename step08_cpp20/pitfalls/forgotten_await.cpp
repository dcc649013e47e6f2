// Pitfall: a coroutine is called like a function, and nothing of it ever runs.
// g++ says: warning: ignoring returned value of type 'Coroutine<>'
// clang++ says: warning: ignoring return value of function declared with 'nodiscard' attribute
//
// Calling it only makes the coroutine. It has to be awaited: `co_await work();`. The same goes for
// the system calls and for generators.
#include "../coroutine.hpp"

Coroutine<> work() {
  co_yield nothing;
}

Coroutine<> forgetful() {
  work();
  co_return;
}
