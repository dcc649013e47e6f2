#include "blocking.hpp"

namespace coop {
namespace {

using WorkRequest = Request<uv_work_t, Work>;

void work(uv_work_t* uv) {  // in the other thread
  Work& work = WorkRequest::of(uv).data;
  try {
    work.function();
  } catch (...) {
    work.error = std::current_exception();
  }
}

void after_work(uv_work_t* uv, int status) {
  WorkRequest::of(uv).answer(status);
}

}  // namespace

Coroutine<> run_in_thread(std::function<void()> function, std::source_location where) {
  const auto request = std::make_shared<WorkRequest>("work in another thread");
  request->data.function = std::move(function);
  check(uv_queue_work(UvReactor::current().loop(), &request->uv, work, after_work),
        "cannot work in another thread");
  const Sent sent(request);
  co_await wait(*request, where);
  if (request->data.error) std::rethrow_exception(request->data.error);
}

}  // namespace coop
