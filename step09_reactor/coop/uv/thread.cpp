#include "thread.hpp"

#include <exception>

namespace coop {
namespace {

/// A function that runs in another thread, and the error that it has thrown.
struct Work {
  std::function<void()> function;
  std::exception_ptr error;
};

using WorkRequest = detail::UvRequest<uv_work_t, Work>;

void work(uv_work_t* uv) {  // in the other thread
  Work& work = WorkRequest::of(uv).data;
  try {
    work.function();
  } catch (...) {
    work.error = std::current_exception();
  }
}

}  // namespace

Trigger::Trigger() {
  const auto sent = [](uv_async_t* handle) {
    static_cast<Trigger*>(handle->data)->wake_or_latch();
  };
  handle_ = make_handle<uv_async_t>("cannot make a trigger", uv_async_init, loop(), sent);
  handle_->data = this;
}

Coroutine<> detail::run_in_thread(std::function<void()> function, std::source_location where) {
  const auto request = std::make_shared<WorkRequest>("cannot work in another thread");
  request->data.function = std::move(function);
  uv_loop_t* const loop = UvReactor::current().loop();
  const int sent = uv_queue_work(loop, &request->uv, work, WorkRequest::done);
  co_await detail::Sent(request, sent, where);
  if (request->data.error) std::rethrow_exception(request->data.error);
}

}  // namespace coop
