#pragma once

#include <functional>
#include <utility>

namespace coop {

/// A quick action that needs no coroutine: it runs before the next coroutine does, on the loop's
/// own stack, and so cannot wait. Whoever queues it shares it with the scheduler, and may cancel
/// it: then it is taken out of the queue without being run.
///
/// TrueAsync page, rows 12 to 17 of the chapter's table.
class Microtask {
 public:
  explicit Microtask(std::function<void()> action) : action_(std::move(action)) {}

  void run() { action_(); }
  void cancel() { cancelled_ = true; }
  bool is_cancelled() const { return cancelled_; }

 private:
  std::function<void()> action_;
  bool cancelled_ = false;
};

}  // namespace coop
