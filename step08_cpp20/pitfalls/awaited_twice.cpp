// Pitfall: a coroutine is awaited by its name, as if it could be awaited again.
// g++ says: error: use of deleted function
// g++ says: co_await std::move(it): a coroutine is awaited once
// clang++ says: error: overload resolution selected deleted operator 'co_await'
// clang++ says: co_await std::move(it): a coroutine is awaited once
//
// A coroutine runs to its end once, then there is nothing left to run. Call the function again:
//
//   co_await work();
//   co_await work();
//
// With `co_await std::move(it)` both lines compile, and the second throws `std::invalid_argument`.
#include "../coroutine.hpp"

Coroutine<> work();

Coroutine<> twice() {
  Coroutine<> it = work();
  co_await it;
  co_await it;
}
