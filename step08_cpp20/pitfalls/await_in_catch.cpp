// Pitfall: an await in a handler of exceptions.
// g++ says: error: await expressions are not permitted in handlers
// clang++ says: error: 'co_await' cannot be used in the handler of a try block
//
// The handler would have to keep its exception while others run. Note what happened, and await
// behind the handler:
//
//   bool failed = false;
//   try {
//     co_await work();
//   } catch (const std::exception&) {
//     failed = true;
//   }
//   if (failed) co_await clean_up();
#include <exception>

#include "../coroutine.hpp"

Coroutine<> work();
Coroutine<> clean_up();

Coroutine<> careful() {
  try {
    co_await work();
  } catch (const std::exception&) {
    co_await clean_up();
  }
}
