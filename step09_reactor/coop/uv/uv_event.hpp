#pragma once

#include <exception>

#include "../wait.hpp"
#include "uv_reactor.hpp"

namespace coop {

/// An event of the UvReactor. While somebody waits for it, the reactor is active.
class UvEvent : public Event {
 public:
  UvEvent() = default;
  UvEvent(const UvEvent&) = delete;
  UvEvent& operator=(const UvEvent&) = delete;

  void start(Task& waiter) override {
    waiters_.add(waiter);
    reactor_.begin_waiting();
  }
  void stop(Task& waiter) noexcept override {
    waiters_.remove(waiter);
    reactor_.end_waiting();
  }

 protected:
  /// Wakes all who wait now.
  void happen(const std::exception_ptr& error = nullptr) {
    reactor_.end_tick();
    waiters_.wake_all(*this, error);
  }

  UvReactor& reactor() const { return reactor_; }
  uv_loop_t* loop() const { return reactor_.loop(); }

 private:
  UvReactor& reactor_ = UvReactor::current();
  Waiters waiters_;
};

}  // namespace coop
