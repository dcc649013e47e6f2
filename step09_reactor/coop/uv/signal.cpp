#include "signal.hpp"

namespace coop {

Signal::Signal(int number)
    : number_(number),
      handle_(make_handle<uv_signal_t>("cannot wait for a signal", uv_signal_init, loop())) {
  handle_->data = this;
}

void Signal::start(Task& waiter) {
  const auto came = [](uv_signal_t* handle, int) { static_cast<Signal*>(handle->data)->happen(); };
  if (waiting_ == 0) {
    check(uv_signal_start(handle_.get(), came, number_), "cannot wait for " + description());
  }
  UvEvent::start(waiter);
  ++waiting_;
}

void Signal::stop(Task& waiter) noexcept {
  UvEvent::stop(waiter);
  if (--waiting_ == 0) uv_signal_stop(handle_.get());
}

Coroutine<> signal(int number, std::source_location where) {
  Signal event(number);
  co_await wait(event, where);
}

}  // namespace coop
