#include "trigger.hpp"

namespace coop {

Trigger::Trigger()
    : handle_(make_handle<uv_async_t>("cannot make a trigger", uv_async_init, loop(),
                                      [](uv_async_t* handle) {
                                        auto& trigger = *static_cast<Trigger*>(handle->data);
                                        trigger.sent_ = true;
                                        trigger.happen();
                                      })) {
  handle_->data = this;
}

Coroutine<> Trigger::next(std::source_location where) {
  co_await wait(*this, where);
  sent_ = false;
}

}  // namespace coop
