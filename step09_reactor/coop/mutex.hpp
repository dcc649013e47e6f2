#pragma once

#include "semaphore.hpp"

namespace coop {

/// Lets one task at a time into a section that waits in the middle. A section that does not wait
/// needs no mutex, because no other task runs meanwhile. Waiting tasks get it in the order in which
/// they came.
class Mutex {
 public:
  /// `const Permit lock = co_await mutex.lock();` waits until no other task has the mutex. The
  /// mutex is unlocked when the permit is destroyed.
  Coroutine<Permit> lock(std::source_location where = std::source_location::current()) {
    return semaphore_.acquire(where);
  }

 private:
  Semaphore semaphore_{1, "a mutex"};
};

}  // namespace coop
