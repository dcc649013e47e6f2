#pragma once

#include <exception>
#include <stdexcept>
#include <string>
#include <utility>

namespace coop {

/// Thrown into a coroutine that is to end, at the place where it waits. It is no `std::exception`,
/// so that a `catch` for errors does not take it by accident. Let it pass, or rethrow it.
///
/// TrueAsync: cancel all.
class Cancelled {
 public:
  /// `reason` is for the reader of a log.
  explicit Cancelled(std::string reason) : reason_(std::move(reason)) {}

  /// Returns the reason that was passed to cancel().
  const std::string& reason() const noexcept { return reason_; }

 private:
  std::string reason_;
};

/// Returns true if it is a Cancelled.
inline bool is_cancellation(const std::exception_ptr& error) noexcept {
  try {
    std::rethrow_exception(error);
  } catch (const Cancelled&) {
    return true;
  } catch (...) {
    return false;
  }
}

/// Thrown by with_timeout() when the time is over.
class TimedOut : public std::runtime_error {
 public:
  TimedOut() : std::runtime_error("The time is over") {}
};

/// Thrown by Scheduler::run() when tasks wait, and nothing is left that could wake them.
class Deadlock : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace coop
