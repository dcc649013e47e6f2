#include "uv_reactor.hpp"

#include <array>
#include <cassert>
#include <chrono>
#include <csignal>
#include <stdexcept>
#include <typeinfo>
#include <utility>

#include "../core/scheduler.hpp"
#include "file.hpp"
#include "uv_event.hpp"

namespace coop {
namespace {

/// Whole milliseconds, rounded up, because a timer may be late but never early.
std::uint64_t milliseconds(Clock::duration time) {
  return static_cast<std::uint64_t>(std::chrono::ceil<std::chrono::milliseconds>(time).count());
}

/// Lets the loop end although this handle is open. A child that still runs after its Process has
/// been destroyed is no longer reaped.
void forget(uv_handle_t* handle, void*) {
  if (handle->type == UV_PROCESS && !handle->data && !uv_is_closing(handle)) {
    CloseUvHandle()(reinterpret_cast<uv_process_t*>(handle));
  } else {
    uv_unref(handle);
  }
}

}  // namespace

/// libuv aborts the program if one of its own descriptors is 0, 1 or 2, so those that are closed
/// become /dev/null. It also aborts if there is no descriptor for its pipe for signals, so this
/// tries to open as many, and reports an error.
UvReactor::Loop::Loop() {
  {
    std::array<Descriptor, 4> opened;
    for (Descriptor& each : opened) {
      while (each.get() <= 2) {
        each.release();
        each = Descriptor(::open("/dev/null", O_RDWR));
        if (each.get() < 0) throw UvError(UV_EMFILE, "cannot make an event loop");
      }
    }
  }
  detail::check(uv_loop_init(&uv), "cannot make an event loop");
}

UvReactor::Loop::~Loop() {
  uv_walk(&uv, forget, nullptr);  // again, because a Process may have been destroyed or closed
  uv_run(&uv, UV_RUN_DEFAULT);
  [[maybe_unused]] const int result = uv_loop_close(&uv);
  assert(result == 0 && "a handle of libuv outlives its reactor");
}

UvReactor::UvReactor() {
  std::signal(SIGPIPE, SIG_IGN);
  alarm_ = make_handle<uv_timer_t>("cannot make a timer", uv_timer_init, loop());
  async_ = make_handle<uv_async_t>(
      "cannot make a trigger", uv_async_init, loop(),
      [](uv_async_t* async) { static_cast<UvReactor*>(async->data)->take_posted(); });
  async_->data = this;
}

UvReactor::~UvReactor() {
  ending_ = true;
  uv_walk(loop(), forget, nullptr);
  uv_run(loop(), UV_RUN_DEFAULT);  // until the last request is answered, whose thread may post
  while (UvEvent* const event = events_.first()) {
    event->close();
    events_.remove(*event);
    event->reactor_ = nullptr;
  }
}

UvReactor& UvReactor::current() {
  Reactor& reactor = Scheduler::current().reactor();
  if (typeid(reactor) != typeid(UvReactor)) {
    throw std::logic_error("This scheduler has no UvReactor: use coop::run()");
  }
  return static_cast<UvReactor&>(reactor);
}

/// Tasks wait for the timers of TimerReactor. libuv has only one timer, which ends the tick in time
/// for the first of them. So timers fire in the same order with every version of libuv.
void UvReactor::tick(Clock::time_point until) {
  const Clock::time_point from = now(), at = earliest(until);
  const bool waits = at > from;
  if (waits && at != Clock::time_point::max()) {
    const auto end = [](uv_timer_t* alarm) { uv_stop(alarm->loop); };
    uv_timer_start(alarm_.get(), end, milliseconds(at - from), 0);
  }
  uv_run(loop(), waits ? UV_RUN_ONCE : UV_RUN_NOWAIT);
  uv_timer_stop(alarm_.get());
  fire_due();
}

void UvReactor::post(std::function<void()> function) {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    posted_.push_back(std::move(function));
  }
  uv_async_send(async_.get());  // libuv may merge several, so they are in a queue
}

void UvReactor::take_posted() {
  std::vector<std::function<void()>> taken;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    taken.swap(posted_);
  }
  if (ending_) return;
  try {
    for (std::function<void()>& function : taken) Scheduler::current().defer(std::move(function));
  } catch (...) {  // as if the function itself had thrown
    Scheduler::current().shutdown(std::current_exception());
  }
}

}  // namespace coop
