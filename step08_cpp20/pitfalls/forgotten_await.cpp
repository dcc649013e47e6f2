// Pitfall: a coroutine is called without co_await.
// g++ says: warning: ignoring returned value of type 'Coroutine<>'
// clang++ says: warning: ignoring return value of function declared with 'nodiscard' attribute
//
// The call only creates the coroutine, and nothing of it runs. Write `co_await work();`. The same
// is true for system calls and for generators.
#include "../coroutine.hpp"

Coroutine<> work() {
  co_yield nothing;
}

Coroutine<> forgetful() {
  work();
  co_return;
}
