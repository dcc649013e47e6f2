#pragma once

#include <uv.h>

#include <array>
#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "../timer_reactor.hpp"
#include "uv_error.hpp"

namespace coop {

/// Closes a libuv handle. libuv uses the memory until its close callback, one tick later, so the
/// memory is freed there.
struct CloseUvHandle {
  template <typename Uv>
  void operator()(Uv* handle) const noexcept {
    uv_close(reinterpret_cast<uv_handle_t*>(handle),
             [](uv_handle_t* closed) { delete reinterpret_cast<Uv*>(closed); });
  }
};

/// Owns a libuv handle: uv_tcp_t, uv_signal_t and the like.
///
/// TrueAsync: event and handle.
template <typename Uv>
using UvHandle = std::unique_ptr<Uv, CloseUvHandle>;

/// Makes a handle with its own function: `make_handle<uv_poll_t>("cannot poll", uv_poll_init, loop,
/// fd)`. Throws UvError if that fails.
template <typename Uv, typename Init, typename... Arguments>
UvHandle<Uv> make_handle(const auto& doing, Init init, uv_loop_t* loop, Arguments... arguments) {
  auto handle = std::make_unique<Uv>();
  detail::check(init(loop, handle.get(), arguments...), doing);
  return UvHandle<Uv>(handle.release());
}

class Poll;
class UvEvent;

/// A reactor for everything that libuv can wait for. It outlives the scheduler. Only post() may be
/// called from another thread.
///
/// TrueAsync: libuv, reactor state, reactor tick.
class UvReactor final : public TimerReactor {
 public:
  /// Ignores SIGPIPE from now on, in the whole process, so that a write to a pipe that is closed at
  /// its other end is an error. Throws UvError if libuv cannot make its loop.
  UvReactor();

  /// Closes all events and the loop. Waits for what other threads have begun; see blocking().
  ~UvReactor() override;

  void tick(Clock::time_point until) override;

  /// libuv cannot say whether tasks wait: a listener is active there even if no task accepts. So
  /// the events count the tasks that wait.
  bool active() const override { return waiting_ > 0 || TimerReactor::active(); }

  /// Runs `function` in this reactor's thread, as a microtask of the scheduler that runs there. May
  /// be called from any thread. If the function has not run when the reactor is destroyed, it never
  /// will. A scheduler doesn't wait for posted functions: a task that needs one waits for a
  /// Trigger.
  ///
  /// TrueAsync: trigger.
  void post(std::function<void()> function);

  /// The reactor of the scheduler that runs on this thread. Throws `std::logic_error` if no
  /// scheduler runs, or if its reactor is not a UvReactor.
  static UvReactor& current();

  /// Returns the loop for the functions of libuv.
  uv_loop_t* loop() { return &loop_.uv; }

 private:
  friend class Poll;
  friend class UvEvent;

  /// libuv allows one uv_poll_t for a descriptor, which the Polls for it share.
  struct PolledDescriptor {
    UvHandle<uv_poll_t> handle;
    std::vector<Poll*> polls;  // that tasks wait for
  };

  /// Is destroyed after all handles have been closed, which takes libuv one more tick.
  struct Loop {
    Loop();
    Loop(const Loop&) = delete;
    Loop& operator=(const Loop&) = delete;
    ~Loop();

    uv_loop_t uv;
  };

  void take_posted();

  Loop loop_;
  detail::List<UvEvent> events_;
  std::map<int, PolledDescriptor> polled_;  // the descriptors that tasks wait for; see Poll
  std::array<char, 65536> buffer_;
  std::size_t waiting_ = 0;  // events that tasks wait for
  bool ending_ = false;
  UvHandle<uv_timer_t> alarm_;
  UvHandle<uv_async_t> async_;
  std::mutex mutex_;
  std::vector<std::function<void()>> posted_;  // which may own handles
};

}  // namespace coop
