#pragma once

#include <array>
#include <memory>
#include <source_location>
#include <stdexcept>
#include <string>
#include <utility>

#include "../core/wait.hpp"
#include "uv_reactor.hpp"

namespace coop {

/// An event of the UvReactor. While a task waits for it, the reactor is active, so it is never part
/// of a deadlock. It may outlive the reactor: then a wait throws UvError with UV_EBADF.
class UvEvent : public Event, public detail::Link {
 public:
  UvEvent() { reactor_->events_.add(*this); }
  ~UvEvent() override {
    if (reactor_) reactor_->events_.remove(*this);
  }

  std::string description() const override { return "an event of libuv"; }

 protected:
  void start() override { ++reactor().waiting_; }
  void stop() noexcept override { --reactor_->waiting_; }

  /// Releases the handles. The reactor calls it at its end, because they cannot outlive its loop.
  virtual void close() noexcept {}

  /// Returns the reactor of the scheduler that ran at its creation.
  UvReactor& reactor() const {
    if (!reactor_) throw UvError(UV_EBADF, "the reactor has ended");
    return *reactor_;
  }
  uv_loop_t* loop() const { return reactor().loop(); }  ///< of that reactor

  /// Where libuv puts the bytes that arrive. The callback that gets them empties it.
  std::array<char, 65536>& buffer() const { return reactor_->buffer_; }

 private:
  friend class UvReactor;

  UvReactor* reactor_ = &UvReactor::current();
};

/// An event that happens again and again, such as a signal. It wakes all tasks that wait. If no
/// task waits, it is latched: the next wait ends at once. Several times without a wait count as
/// one. If it wakes a task that is cancelled before its next turn, this time is lost.
template <typename Uv>
class LatchedEvent : public UvEvent {
 protected:
  /// Releases the handle.
  void close() noexcept override { handle_.reset(); }

  /// Wakes the task immediately if the event is latched.
  void start() override {
    UvEvent::start();
    if (std::exchange(latched_, false)) wake_all();
  }

  /// Wakes the tasks that wait. Without one, it is latched.
  void wake_or_latch() {
    latched_ = !is_awaited();
    wake_all();
  }

  UvHandle<Uv> handle_;

 private:
  bool latched_ = false;
};

}  // namespace coop

namespace coop::detail {

/// A question to libuv, which is answered once: `Uv` is uv_getaddrinfo_t, uv_fs_t and the like,
/// `Data` is what else the question needs meanwhile. It owns itself until the answer comes, so the
/// task that asked may be cancelled.
template <typename Uv, typename Data>
class UvRequest final : public UvEvent {
 public:
  /// `doing` is for the error: "cannot connect to 127.0.0.1:80".
  explicit UvRequest(std::string doing, Data with = Data())
      : data(std::move(with)), doing_(std::move(doing)) {
    uv.data = this;
  }

  static UvRequest& of(Uv* uv) { return *static_cast<UvRequest*>(uv->data); }

  /// The callback for libuv, if it has these parameters.
  static void done(Uv* uv, int status) { of(uv).finish(status); }

  bool is_ready() const override { return answered_; }

  /// For libuv's callback.
  void finish(int status) {
    const std::shared_ptr<UvRequest> keep = std::move(self);
    answer(status);
  }

  /// Wakes the task that asked. Only the first answer counts.
  void answer(int status) {
    if (std::exchange(answered_, true)) return;
    status_ = status;
    wake_all();
  }

  /// Returns the answer, or throws UvError if it is an error.
  int result() const { return check(status_, doing_); }

  Uv uv{};
  Data data;
  std::shared_ptr<UvRequest> self;  ///< while libuv uses it

 private:
  std::string doing_;
  int status_ = 0;
  bool answered_ = false;
};

/// Waits for the answer to a request: `result = co_await Sent(request, uv_...(), where);`, where
/// uv_...() is the call that sends it. Throws UvError if that call or the answer is an error. If
/// the task is destroyed or cancelled before, it takes the request back; one that a thread has
/// begun to work on is answered later, and the answer is dropped.
template <typename R>
class Sent : public EventAwaiter {
 public:
  Sent(std::shared_ptr<R> request, int sent, const std::source_location& at)
      : EventAwaiter(*request, at), request_(std::move(request)) {
    if (sent < 0) {
      request_->answer(sent);
    } else {
      request_->self = request_;
    }
  }
  ~Sent() {
    if (request_->self) uv_cancel(reinterpret_cast<uv_req_t*>(&request_->uv));
  }

  int await_resume() {
    EventAwaiter::await_resume();
    return request_->result();
  }

 private:
  std::shared_ptr<R> request_;
};

/// One task at a time reads. While this lives, the constructor of a second one throws
/// `std::logic_error`.
class OnlyReader {
 public:
  explicit OnlyReader(bool& is_read) : is_read_(is_read) {
    if (is_read) throw std::logic_error("Another task is reading here already");
    is_read_ = true;
  }
  OnlyReader(const OnlyReader&) = delete;
  OnlyReader& operator=(const OnlyReader&) = delete;
  ~OnlyReader() { is_read_ = false; }

 private:
  bool& is_read_;
};

}  // namespace coop::detail
