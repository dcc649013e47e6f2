// Pitfall: a co_await in a catch block.
// g++ says: error: await expressions are not permitted in handlers
// clang++ says: error: 'co_await' cannot be used in the handler of a try block
//
// The exception that is being handled belongs to the thread, and other tasks run while the
// coroutine waits. Store in a variable that it has failed, and await after the catch block:
//
//   bool failed = false;
//   try {
//     co_await work();
//   } catch (const std::exception&) {
//     failed = true;
//   }
//   if (failed) {
//     co_await clean_up();
//   }
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
