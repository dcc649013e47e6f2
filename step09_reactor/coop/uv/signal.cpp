#include "signal.hpp"

namespace coop {

Signal::Signal(int number) {
  handle_ = make_handle<uv_signal_t>("cannot make a signal", uv_signal_init, loop());
  handle_->data = this;
  const auto came = [](uv_signal_t* handle, int) {
    static_cast<Signal*>(handle->data)->wake_or_latch();
  };
  detail::check(uv_signal_start(handle_.get(), came, number),
                "cannot wait for signal " + std::to_string(number));
}

}  // namespace coop
