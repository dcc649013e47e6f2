#include "uv_reactor.hpp"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <stdexcept>
#include <utility>

#include "../wait.hpp"

namespace coop {
namespace {

/// Whole milliseconds, rounded up: a timer may be late, never early.
std::uint64_t milliseconds(Clock::duration time) {
  const auto rounded = std::chrono::ceil<std::chrono::milliseconds>(time).count();
  return static_cast<std::uint64_t>(std::max<decltype(rounded)>(rounded, 0));
}

}  // namespace

UvReactor::UvReactor() {
  std::signal(SIGPIPE, SIG_IGN);
  check(uv_loop_init(&loop_), "cannot make an event loop");
  alarm_ = make_handle<uv_timer_t>("cannot make a timer", uv_timer_init, &loop_);
  bell_ = make_handle<uv_async_t>(
      "cannot make a trigger", uv_async_init, &loop_,
      [](uv_async_t* bell) { static_cast<UvReactor*>(bell->data)->take_posted(); });
  bell_->data = this;
}

UvReactor::~UvReactor() {
  alarm_.reset();
  bell_.reset();
  posted_.clear();
  uv_run(&loop_, UV_RUN_DEFAULT);  // until the last handle is closed, the last request answered
  if (uv_loop_close(&loop_) != 0) {
#ifndef NDEBUG
    uv_print_all_handles(&loop_, stderr);  // somebody still owns these
#endif
  }
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
    uv_update_time(&loop_);  // libuv counts from a time that it remembers, maybe an old one
    const std::uint64_t time = milliseconds(first_deadline() - now());
    uv_timer_start(alarm_.get(), [](uv_timer_t* alarm) { uv_stop(alarm->loop); }, time, 0);
  }
  run_loop(block);
  uv_timer_stop(alarm_.get());
  fire_due();
}

void UvReactor::run_loop(bool block) {
  in_tick_ = true;
  uv_run(&loop_, block ? UV_RUN_ONCE : UV_RUN_NOWAIT);
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
  for (std::function<void()>& function : taken) Scheduler::current().defer(std::move(function));
  end_tick();
}

}  // namespace coop
