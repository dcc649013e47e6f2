#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <list>
#include <memory>
#include <optional>
#include <source_location>
#include <span>
#include <string>
#include <utility>

#include "event.hpp"
#include "promise.hpp"
#include "switch_handler.hpp"

namespace coop {

class Scheduler;

/// The number of a task. The first is 1; none is given twice.
using TaskId = std::int64_t;

/// The scheduler's record of a coroutine that was spawned. It is an event, too: that the task has
/// finished. It lives as long as the task runs or somebody has a handle to it.
///
/// TrueAsync page, sections "Suspend, resume, waker" and "Switch handlers".
class Task : public Event {
 public:
  Task(const Task&) = delete;
  Task& operator=(const Task&) = delete;

  static void* operator new(std::size_t size) { return allocate_frame(size); }
  static void operator delete(void* task, std::size_t size) noexcept { release_frame(task, size); }

  TaskId id() const { return id_; }
  bool is_finished() const { return state_ == State::finished; }

  /// Where it was spawned, and where it waits or has waited last.
  const std::source_location& spawned_at() const { return spawned_at_; }
  const std::source_location& waits_at() const { return waits_at_; }

  /// Asks the task to end. One that has not started never runs; one that waits is woken, and
  /// `Cancelled` is thrown at the place where it waits; one that runs, or is protected, gets it at
  /// the next place where it waits without protection. No effect on a finished one, nor twice.
  void cancel(std::string reason = "cancelled");

  /// Is there a cancellation that has not been thrown yet?
  bool is_cancelled() const { return !is_finished() && error_; }

  /// Adds a handler that is called at each switch of this task; none, if it has finished. A handler
  /// that is added by a handler is called from the next switch on.
  void on_switch(SwitchHandler handler);

  bool is_ready() const override { return is_finished(); }
  void start(Task& waiter) override { waiters_.add(waiter); }
  void stop(Task& waiter) noexcept override { waiters_.remove(waiter); }
  std::string description() const override { return "task " + std::to_string(id_); }

  // For events.

  /// `event` has happened: this task, which waits for it, gets ready to run. With an error, that is
  /// thrown where it waits. Its events are stopped before this returns.
  void wake(Event& event, std::exception_ptr error = nullptr);

  // For awaiters: see coroutine.hpp and wait.hpp.

  /// Runs `callee` next; `caller` goes on when it has ended.
  void call(Promise& callee, Promise* caller) noexcept {
    callee.task = this;
    callee.caller = caller;
    callee.attention = !caller || caller->attention;
    innermost_ = &callee;
  }

  /// Throws what has left a called coroutine.
  void rethrow_error() {
    if (thrown_) [[unlikely]]
      std::rethrow_exception(std::exchange(thrown_, nullptr));
  }

  /// Suspends until one of the events happens. False if one did already while they were started, or
  /// if the task is cancelled: then it goes on at once. If an event cannot be started, the others
  /// are stopped and its exception comes out of this.
  bool wait_for(std::span<Event* const> events, const std::source_location& where);

  /// Ends its turn, and gets the next one behind all that are ready. False if the task is
  /// cancelled: then it goes on at once. Only needed if something asks for attention: out of line,
  /// so that a plain yield does not save registers for it.
  [[gnu::noinline]] bool yield();

  /// Throws what has come while the task waited: an error, or a cancellation.
  void throw_if_needed() {
    if (innermost_->attention) [[unlikely]]
      throw_what_came();
  }
  [[gnu::noinline]] void throw_what_came();

  /// Which of the events it was that ended wait_for().
  std::size_t woken_by() const { return woken_by_; }

  /// See Protection. A shutdown lifts all, so there may be none left to take back.
  void protect() { ++protections_; }
  void unprotect() {
    if (protections_ > 0) --protections_;
  }

  Scheduler& scheduler() const { return *scheduler_; }

 protected:
  Task(Scheduler& scheduler, TaskId id, const std::source_location& where)
      : scheduler_(&scheduler), waits_at_(where), id_(id), spawned_at_(where) {}

 private:
  friend class Scheduler;
  friend class TaskList;
  friend class TaskReference;

  /// `active` is ready or running: nothing has to be done to wake it.
  enum class State : std::uint8_t { fresh, active, starting, waiting, finished };

  void cancel_with(std::exception_ptr cancellation) noexcept;
  void destroy_innermost() noexcept;
  Promise* begin_turn();
  void ask_for_attention() {
    if (innermost_) innermost_->attention = true;
  }
  void lose_last_handle() noexcept;
  void stop_events() noexcept;
  void tell(Switch what);
  void make_ready();
  bool must_throw() const { return error_ && protections_ == 0; }

  Scheduler* scheduler_;
  Promise* innermost_ = nullptr;
  std::source_location waits_at_;
  State state_ = State::fresh;
  bool observed_ = false;  // by somebody who got its error
  bool in_use_ = true;     // by the scheduler
  bool kept_ = false;
  bool enters_at_start_ = false;
  std::uint16_t protections_ = 0;

  std::exception_ptr thrown_;  // by a called coroutine or an event, for the next await
  std::exception_ptr error_;  // a cancellation that has not been thrown yet; at the end, the result
  std::unique_ptr<std::list<SwitchHandler>> handlers_;
  TaskId id_;
  std::source_location spawned_at_;
  std::span<Event* const> events_;
  std::size_t woken_by_ = 0;
  Waiters waiters_;
  Task* previous_ = nullptr;  // in a TaskList
  Task* next_ = nullptr;
  std::uint32_t handles_ = 0;
};

}  // namespace coop
