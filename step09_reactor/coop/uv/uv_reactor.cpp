#include "uv_reactor.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <stdexcept>
#include <utility>

#include "../wait.hpp"

namespace coop {
namespace {

/// Whole milliseconds, rounded up: a timer may be late, never early.
std::uint64_t milliseconds(Clock::duration time) {
  return static_cast<std::uint64_t>(std::chrono::ceil<std::chrono::milliseconds>(time).count());
}

/// A child that runs on, and whose Process has gone, is not reaped any more. What else is there
/// shall not keep the loop running.
void forget(uv_handle_t* handle, void*) {
  if (handle->type == UV_PROCESS && !handle->data && !uv_is_closing(handle)) {
    CloseUvHandle()(reinterpret_cast<uv_process_t*>(handle));
  } else {
    uv_unref(handle);
  }
}

/// libuv aborts the program if it gets one of 0 to 2 for itself, which it would if they are closed:
/// they become /dev/null. It also aborts if there is none for what it watches signals with: those
/// are tried here, since an error can be reported.
void prepare_descriptors() {
  std::array<int, 4> opened{};
  bool enough = true;
  for (int& descriptor : opened) {
    do {
      descriptor = ::open("/dev/null", O_RDWR);
    } while (descriptor >= 0 && descriptor <= 2);
    enough = enough && descriptor >= 0;
  }
  for (const int descriptor : opened) {
    if (descriptor >= 0) ::close(descriptor);
  }
  if (!enough) throw UvError(UV_EMFILE, "cannot make an event loop");
}

}  // namespace

UvReactor::Loop::Loop() {
  prepare_descriptors();
  check(uv_loop_init(&uv), "cannot make an event loop");
}

UvReactor::Loop::~Loop() {
  uv_walk(&uv, forget, nullptr);  // the owner of a child may have gone with the last request
  uv_run(&uv, UV_RUN_DEFAULT);
  if (uv_loop_close(&uv) != 0) {
#ifndef NDEBUG
    uv_print_all_handles(&uv, stderr);  // somebody still owns these
#endif
  }
}

UvReactor::UvReactor() {
  std::signal(SIGPIPE, SIG_IGN);
  alarm_ = make_handle<uv_timer_t>("cannot make a timer", uv_timer_init, loop());
  bell_ = make_handle<uv_async_t>(
      "cannot make a trigger", uv_async_init, loop(),
      [](uv_async_t* bell) { static_cast<UvReactor*>(bell->data)->take_posted(); });
  bell_->data = this;
}

UvReactor::~UvReactor() {
  ending_ = true;
  uv_walk(loop(), forget, nullptr);
  uv_run(loop(), UV_RUN_DEFAULT);  // until the last request is answered; its thread may post
}

UvReactor& UvReactor::current() {
  auto* const reactor = dynamic_cast<UvReactor*>(&Scheduler::current().reactor());
  if (!reactor) throw std::logic_error("The scheduler that runs here has no UvReactor");
  return *reactor;
}

/// Tasks wait for this reactor's own timers; libuv has one, which ends the tick in time for the
/// first of them. So timers fire in their order, whatever libuv does in a tick.
void UvReactor::tick(bool block) {
  if (block && TimerReactor::active()) {
    uv_update_time(loop());  // libuv counts from a time that it remembers, maybe an old one
    const Clock::time_point from = now();
    const std::uint64_t time = milliseconds(std::max(first_deadline(), from) - from);
    uv_timer_start(alarm_.get(), [](uv_timer_t* alarm) { uv_stop(alarm->loop); }, time, 0);
  }
  run_loop(block);
  uv_timer_stop(alarm_.get());
  fire_due();
}

void UvReactor::run_loop(bool block) {
  in_tick_ = true;
  uv_run(loop(), block ? UV_RUN_ONCE : UV_RUN_NOWAIT);
  in_tick_ = false;
}

void UvReactor::post(std::function<void()> function) {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    posted_.push_back(std::move(function));
  }
  uv_async_send(bell_.get());  // many may become one: it says "look", the queue says what
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
  } catch (...) {  // nobody waits for it: as if the function itself had thrown
    Scheduler::current().shutdown(std::current_exception());
  }
  end_tick();
}

}  // namespace coop
