#include "signal.hpp"

#include <atomic>
#include <csignal>

namespace coop {
static std::atomic<bool> ignored[NSIG];  // before the first Signal of a number

Signal::Signal(int number) {
  handle_ = make_handle<uv_signal_t>("cannot make a signal", uv_signal_init, loop());
  handle_->data = this;
  const auto came = [](uv_signal_t* handle, int) {
    static_cast<Signal*>(handle->data)->wake_or_latch();
  };
  struct sigaction before{};
  ::sigaction(number, nullptr, &before);
  detail::check(uv_signal_start(handle_.get(), came, number),
                "cannot wait for signal " + std::to_string(number));
  const bool was_ignored = before.sa_handler == SIG_IGN;
  if (was_ignored || before.sa_handler == SIG_DFL) ignored[number] = was_ignored;
}

/// With the last Signal of a number, libuv sets the default action.
void Signal::close() noexcept {
  if (!handle_) return;
  const int number = handle_->signum;
  handle_.reset();
  struct sigaction now{};
  ::sigaction(number, nullptr, &now);
  if (ignored[number] && now.sa_handler == SIG_DFL) std::signal(number, SIG_IGN);
}

}  // namespace coop
