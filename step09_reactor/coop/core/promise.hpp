#pragma once

#include <coroutine>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <optional>
#include <utility>

#include "frame_pool.hpp"

namespace coop {
class Task;
}

namespace coop::detail {

/// The part of the frame that all coroutines have in common. Frames come from the pool.
///
/// As in step 8, no coroutine resumes another one: a call and a return only set which frame is the
/// innermost one, and the scheduler's loop resumes it.
class Promise {
 public:
  Task* task = nullptr;        ///< the task that runs the coroutine
  Promise* caller = nullptr;   ///< the coroutine that called this one
  std::exception_ptr error{};  ///< an exception that is thrown into or out of the body

  // What each turn checks is here and not in the task: the frame that runs is in the cache.
  bool must_check = false;  ///< there is something to check: handlers, an error, a cancellation
  bool yields = false;      ///< it was suspended by yield()

  std::uint32_t place = 0;  ///< in the queue, while it is there

  /// Resumes and destroys the frame. It is computed, so that the frame needs no place for it.
  auto handle() noexcept { return std::coroutine_handle<Promise>::from_promise(*this); }

  static void* operator new(std::size_t size) { return allocate_frame(size); }
  static void operator delete(void* frame, std::size_t size) noexcept {
    release_frame(frame, size);
  }

  std::suspend_always initial_suspend() const noexcept { return {}; }
  std::suspend_always final_suspend() const noexcept { return {}; }
  /// Is not inlined, so that no turn saves registers for it.
  [[gnu::noinline]] void unhandled_exception() noexcept { error = std::current_exception(); }
};

/// The part of the frame that depends on the type of the return value. `co_return` puts the value
/// where the awaiting coroutine, or the Handle, looks for it.
template <typename T>
class ReturnPromise : public Promise {
 public:
  std::optional<T>* result = nullptr;
  void return_value(T value) { result->emplace(std::move(value)); }
};

template <>
class ReturnPromise<void> : public Promise {
 public:
  void return_void() const noexcept {}
};

}  // namespace coop::detail
