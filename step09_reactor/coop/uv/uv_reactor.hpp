#pragma once

#include <uv.h>

#include <array>
#include <cstddef>
#include <functional>
#include <mutex>
#include <vector>

#include "../timer_reactor.hpp"
#include "poll_table.hpp"
#include "uv_handle.hpp"

namespace coop {

/// A reactor for everything that libuv can wait for. It outlives the scheduler and all events.
/// Only post() may be called from another thread.
///
/// TrueAsync page, rows 46, 47, 60 and 61 of the chapter's table.
class UvReactor final : public TimerReactor {
 public:
  /// Ignores SIGPIPE from now on, for the whole process: writing to a pipe that nobody reads shall
  /// be an error, not the end. Throws UvError if the system gives no loop.
  UvReactor();
  UvReactor(const UvReactor&) = delete;
  UvReactor& operator=(const UvReactor&) = delete;

  /// Closes the loop completely. Waits for work that another thread has begun.
  ~UvReactor() override;

  void tick(bool block) override;

  /// libuv does not know what tasks wait for: a listener that nobody asks is active there. So the
  /// events count themselves.
  bool active() const override { return waiting_ > 0 || TimerReactor::active(); }

  /// Runs `function` in this reactor's thread, as a microtask of the scheduler that runs there.
  /// From any thread. What has not run when the reactor goes, never does. It is no reason to wait
  /// for: a task that waits for what `function` will do waits for a Trigger, or it is a deadlock.
  ///
  /// TrueAsync page, row 57 of the chapter's table.
  void post(std::function<void()> function);

  uv_loop_t* loop() { return &loop_.uv; }
  PollTable& polls() { return polls_; }

  /// Where bytes go through that come from a stream; nothing stays in it.
  std::array<char, 65536>& buffer() { return buffer_; }

  // For events.

  void begin_waiting() { ++waiting_; }
  void end_waiting() { --waiting_; }

  /// A task has got ready: a tick that would wait for more must return.
  void end_tick() {
    if (in_tick_) uv_stop(loop());
  }

  /// The reactor of the scheduler that runs on this thread. Without one it is a `std::logic_error`.
  static UvReactor& current();

 private:
  /// Goes when all handles have been closed, which takes libuv one more tick.
  struct Loop {
    Loop();
    Loop(const Loop&) = delete;
    Loop& operator=(const Loop&) = delete;
    ~Loop();

    uv_loop_t uv;
  };

  void run_loop(bool block);
  void take_posted();

  Loop loop_;
  PollTable polls_{loop()};
  std::array<char, 65536> buffer_;
  std::size_t waiting_ = 0;
  bool in_tick_ = false;
  bool ending_ = false;
  UvHandle<uv_timer_t> alarm_;
  UvHandle<uv_async_t> bell_;
  std::mutex mutex_;
  std::vector<std::function<void()>> posted_;  // which may own handles
};

}  // namespace coop
