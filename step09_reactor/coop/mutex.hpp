#pragma once

#include <source_location>
#include <utility>

#include "semaphore.hpp"

namespace coop {

class Mutex;

/// `T result = co_await with_lock(&mutex, f());` waits until no other task has the mutex, runs
/// `f()`, and unlocks the mutex, also if `f()` throws. A task that is cancelled while it waits for
/// the mutex never runs `f()`. A body that locks the same mutex again waits forever.
///
/// There is no `lock()` that returns a guard: `co_await lock();` without a name for the guard would
/// unlock the mutex again in the same line, and g++ 12 does not warn of it.
template <typename T>
Coroutine<T> with_lock(Mutex* mutex, Coroutine<T> body,
                       std::source_location where = std::source_location::current());

/// Lets one task at a time into a section that waits in the middle, by with_lock(). A section that
/// does not wait needs no mutex, because no other task runs meanwhile. Waiting tasks get it in the
/// order in which they came. It outlives the tasks that use it.
class Mutex {
 private:
  template <typename T>
  friend Coroutine<T> with_lock(Mutex* mutex, Coroutine<T> body, std::source_location where);

  Semaphore semaphore_{1, "a mutex"};
};

template <typename T>
Coroutine<T> with_lock(Mutex* mutex, Coroutine<T> body, std::source_location where) {
  const Permit permit = co_await mutex->semaphore_.acquire(where);
  co_return co_await std::move(body);
}

}  // namespace coop
