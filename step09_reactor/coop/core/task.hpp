#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <list>
#include <memory>
#include <source_location>
#include <string>

#include "event.hpp"
#include "promise.hpp"

namespace coop {

class EventAwaiter;

namespace detail {
class Deadline;
class TaskGroup;
class TaskHost;
class Yield;
}  // namespace detail

/// The number of a task. The first task has the number 1, and no number is used twice.
using TaskId = std::int64_t;

/// What happens to a task: it continues after it was suspended, it is suspended, it finishes. The
/// first start is no `enter`.
enum class Switch { enter, leave, finish };

/// Is called at each switch of one task, and returns true to stay. It cannot wait. A handler that
/// it adds to the task is called from the next switch on. If it throws, that is an unhandled error,
/// and the handler is removed.
///
/// TrueAsync: switch handler, handler lifetime, switch moments.
using SwitchHandler = std::function<bool(Task&, Switch)>;

/// A coroutine that was spawned, and the coroutines that it calls. It is an event, too: that the
/// task has finished. The object lives while the task runs or a Handle refers to it.
///
/// TrueAsync: early stop, order of a suspend, woken twice.
class Task : public Event, public detail::Link {
 public:
  /// For the scheduler, which adds it to `group`.
  Task(detail::TaskGroup& group, TaskId id, const std::source_location& where)
      : group_(group), id_(id), spawned_at_(where) {}

  static void* operator new(std::size_t size) {
    return detail::allocate_frame(size, detail::Memory::task);
  }
  static void operator delete(void* task, std::size_t size) noexcept {
    detail::release_frame(task, size, detail::Memory::task);
  }

  /// Returns its number.
  TaskId id() const { return id_; }

  /// Returns true if its body has returned, has thrown, or will never run.
  bool is_finished() const { return state_ == State::finished; }

  /// Returns the line that called spawn().
  const std::source_location& spawned_at() const { return spawned_at_; }

  /// Returns what the task awaits. Null if it does not wait for an event.
  const EventAwaiter* waiting() const { return waiting_; }

  /// Asks the task to end: `Cancelled` is thrown into it. A task that waits is woken. A task that
  /// has not started never runs. A task that runs or is protected gets the exception where it waits
  /// the next time without protection. Of several cancellations the first one counts, until it has
  /// been thrown. It has no effect on a finished task.
  void cancel(std::string reason = "cancelled");

  /// The same, with a Cancelled that has been made already.
  void cancel(const std::exception_ptr& cancellation) noexcept;

  /// Returns true if cancel() was called before the task finished.
  bool is_cancelled() const { return cancelled_; }

  /// Adds a handler that is called at each switch of this task.
  void on_switch(SwitchHandler handler);

  bool is_ready() const override { return is_finished(); }
  std::string description() const override { return "task " + std::to_string(id_); }

 protected:
  // For handles.

  /// Counts another handle.
  void share() noexcept { ++references_; }

  /// Counts one handle less. The last one destroys the object of a finished task.
  void release() noexcept {
    if (--references_ == 0) destroy();
  }

  /// Throws what has propagated out of the body of the finished task. So the error is handled.
  void rethrow_error() {
    if (error_) [[unlikely]]
      throw_error();
  }

 private:
  template <typename T>
  friend class Coroutine;
  friend class detail::Deadline;
  friend class Event;
  friend class EventAwaiter;
  friend class Protection;
  friend class Scheduler;
  friend class Scope;
  friend class detail::TaskHost;
  friend class detail::Yield;

  /// `active` is ready or running, `starting` is between the first and the last start of an event.
  enum class State : std::uint8_t { fresh, active, starting, waiting, finished };

  /// Makes `callee` the innermost coroutine, which runs next.
  void call(detail::Promise& callee, detail::Promise* caller) noexcept {
    callee.task = this;
    callee.caller = caller;
    callee.must_check = !caller || caller->must_check;
    innermost_ = &callee;
  }

  /// Waits until one of the events happens. Returns false if one has happened while they were
  /// started, or if the task is cancelled: then the task continues at once. If an event cannot be
  /// started, its exception is thrown, and the task waits for none.
  bool wait_for(EventAwaiter& waiting);

  /// Ends the turn. Returns false if the task is cancelled: then it continues at once. It is called
  /// only if there is something to check, so that a plain yield saves no registers for it.
  [[gnu::noinline]] bool yield();

  /// Throws what has come while the task waited: an error, or a cancellation.
  void throw_if_needed() {
    if (innermost_->must_check) [[unlikely]]
      throw_what_came();
  }
  [[gnu::noinline]] void throw_what_came();

  void enter_events();
  void leave_events() noexcept;
  void wake(detail::Wait& by, const std::exception_ptr& error) noexcept;
  void become_ready() noexcept;
  detail::Promise* begin_turn();
  void destroy_innermost() noexcept;
  void finish();
  void destroy() noexcept;
  [[noreturn]] void throw_error();
  void call_handlers(Switch what);
  bool must_throw() const { return error_ && !protected_; }
  void check_next_turn() noexcept {
    if (innermost_) innermost_->must_check = true;
  }

  detail::TaskGroup& group_;  // may no longer exist when the task has finished
  detail::Promise* innermost_ = nullptr;
  EventAwaiter* waiting_ = nullptr;
  std::exception_ptr error_;  // a cancellation that has not been thrown yet; at the end, the result
  std::unique_ptr<std::list<SwitchHandler>> handlers_;
  TaskId id_;
  std::source_location spawned_at_;
  std::uint32_t references_ = 1;  // by handles, and by the scheduler until the task has finished
  State state_ = State::fresh;
  bool protected_ = false;
  bool cancelled_ = false;
};

}  // namespace coop
