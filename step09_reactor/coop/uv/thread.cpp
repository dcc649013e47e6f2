#include "thread.hpp"

namespace coop {

Trigger::Trigger() {
  const auto sent = [](uv_async_t* handle) {
    static_cast<Trigger*>(handle->data)->wake_or_latch();
  };
  handle_ = make_handle<uv_async_t>("cannot make a trigger", uv_async_init, loop(), sent);
  handle_->data = this;
}

Coroutine<> detail::run_in_thread(std::function<void()> function, std::source_location where) {
  using Work = UvRequest<uv_work_t, std::function<void()>>;
  const auto request = std::make_shared<Work>("cannot work in another thread", std::move(function));
  const auto work = [](uv_work_t* uv) { Work::of(uv).data(); };  // in the other thread
  uv_loop_t* const loop = UvReactor::current().loop();
  const int sent = uv_queue_work(loop, &request->uv, work, Work::done);
  co_await Sent(request, sent, where);
}

}  // namespace coop
