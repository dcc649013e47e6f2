#pragma once

#include <functional>
#include <utility>

namespace coop {

/// A short action that needs no coroutine. It runs before the next turn, on the stack of the
/// scheduler's loop, so it cannot wait. The program shares it with the scheduler, and may cancel
/// it: then it leaves the queue without being run.
///
/// TrueAsync: microtask, microtask order.
class Microtask {
 public:
  /// `action` may throw, which is an unhandled error.
  explicit Microtask(std::function<void()> action) : action_(std::move(action)) {}

  void run() { action_(); }                         ///< for the scheduler
  void cancel() { cancelled_ = true; }              ///< has no effect after it has run
  bool is_cancelled() const { return cancelled_; }  ///< true after cancel()

 private:
  std::function<void()> action_;
  bool cancelled_ = false;
};

}  // namespace coop
