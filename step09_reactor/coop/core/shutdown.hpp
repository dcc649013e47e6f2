#pragma once

#include <exception>
#include <utility>

#include "cancellation.hpp"
#include "reactor.hpp"
#include "task_group.hpp"

namespace coop::detail {

/// The end of all tasks of a scheduler. The first two attempts cancel every task, and then the
/// tasks have five seconds. The third attempt destroys those that still live.
class Shutdown {
 public:
  /// `root` is the group of the tasks that are in no scope. Its cancellation is that of all tasks.
  Shutdown(TaskGroup& root, const Reactor& reactor) : root_(root), reactor_(reactor) {}

  /// Begins it, or cancels every task again if this is the second error. `cancellation` is thrown
  /// into the tasks, by default with the reason "graceful shutdown".
  void begin(std::exception_ptr error, std::exception_ptr cancellation = nullptr) noexcept;

  /// Makes the next attempt.
  void try_again() noexcept;

  /// Is called when all tasks have finished. Throws the error, if there is one.
  void end();

  /// Returns when the next attempt is due, and `Clock::time_point::max()` if there is no shutdown.
  Clock::time_point end_of_attempt() const { return end_of_attempt_; }

 private:
  void cancel_all() noexcept;

  TaskGroup& root_;
  const Reactor& reactor_;
  int attempts_ = 0;
  Clock::time_point end_of_attempt_ = Clock::time_point::max();
  std::exception_ptr error_;
  const std::exception_ptr graceful_ =  // made early, since memory may be short then
      std::make_exception_ptr(Cancelled("graceful shutdown"));
};

}  // namespace coop::detail
