#pragma once

#include <coroutine>
#include <cstddef>
#include <exception>
#include <optional>
#include <utility>

#include "frame_pool.hpp"

namespace coop {

class Task;

/// What the promise of every coroutine has. Its frame comes from the pool.
///
/// As in step 8, no coroutine resumes another one: a call and a return only say which frame is
/// next, and the task's loop resumes it.
class Promise {
 public:
  std::coroutine_handle<> handle{};  ///< of the frame
  Task* task = nullptr;              ///< that runs it; null until it is called
  Promise* caller = nullptr;         ///< who goes on when it has ended
  std::exception_ptr error{};        ///< what has left the body

  // What each turn looks at stands here, and not in the task: a frame that runs is at hand.
  bool attention = false;  ///< there is more to look at: handlers, an error, a cancellation
  bool yields = false;     ///< it has suspended only to have its next turn

  static void* operator new(std::size_t size) { return allocate_frame(size); }
  static void operator delete(void* frame, std::size_t size) noexcept {
    release_frame(frame, size);
  }

  std::suspend_always initial_suspend() const noexcept { return {}; }
  std::suspend_always final_suspend() const noexcept { return {}; }
  void unhandled_exception() noexcept { error = std::current_exception(); }
};

/// The part that depends on what the coroutine returns: `co_return value;` puts the value where
/// whoever waits for it will look.
template <typename T>
class ReturningPromise : public Promise {
 public:
  std::optional<T>* result = nullptr;
  void return_value(T value) { *result = std::move(value); }
};

/// The same, for one that returns nothing.
template <>
class ReturningPromise<void> : public Promise {
 public:
  void return_void() const noexcept {}
};

}  // namespace coop
