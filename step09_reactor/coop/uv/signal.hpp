#pragma once

#include <source_location>

#include "uv_event.hpp"

namespace coop {

/// A signal has come. All tasks that wait for it are woken. While nobody waits, the signal does
/// what the system has it do: SIGINT ends the program. SIGKILL and SIGSTOP cannot be waited for:
/// that throws UvError with UV_EINVAL.
///
/// TrueAsync page, row 51 of the chapter's table.
class Signal final : public UvEvent {
 public:
  explicit Signal(int number);

  bool is_ready() const override { return false; }
  void start(Task& waiter) override;
  void stop(Task& waiter) noexcept override;
  std::string description() const override { return "signal " + std::to_string(number_); }

 private:
  int number_;
  int waiting_ = 0;
  UvHandle<uv_signal_t> handle_;
};

/// Waits for the signal of that number: `co_await signal(SIGUSR1);`.
Coroutine<> signal(int number, std::source_location where = std::source_location::current());

}  // namespace coop
