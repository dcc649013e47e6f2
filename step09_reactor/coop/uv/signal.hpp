#pragma once

#include "uv_event.hpp"

namespace coop {

/// A signal of the system: `Signal interrupt(SIGINT);`, then `co_await interrupt;` waits for the
/// next one and wakes all tasks that wait. As long as this lives, the signal doesn't have its
/// default action, and one that arrives while no task waits ends the next wait at once. After it, a
/// signal that was ignored before is ignored again. A signal that is blocked doesn't arrive.
///
/// TrueAsync: signal.
class Signal final : public LatchedEvent<uv_signal_t> {
 public:
  /// Throws UvError with UV_EINVAL for a signal that cannot be caught, such as SIGKILL.
  explicit Signal(int number);
  ~Signal() override { close(); }

 private:
  void close() noexcept override;
};

}  // namespace coop
