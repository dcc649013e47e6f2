#pragma once

#include <coroutine>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <list>
#include <memory>
#include <source_location>
#include <span>
#include <string>
#include <utility>

#include "event.hpp"
#include "frame_pool.hpp"
#include "ring_buffer.hpp"

namespace coop {

class TaskGroup;

/// The number of a task. The first task has the number 1, and no number is used twice.
using TaskId = std::int64_t;

/// The part of the frame that all coroutines have in common. Frames come from the pool.
///
/// As in step 8, no coroutine resumes another one: a call and a return only set which frame is the
/// innermost one, and the scheduler's loop resumes it.
class Promise {
 public:
  std::coroutine_handle<> handle{};  ///< resumes and destroys the frame
  Task* task = nullptr;              ///< the task that runs the coroutine
  Promise* caller = nullptr;         ///< the coroutine that called this one
  std::exception_ptr error{};        ///< an exception that is thrown into or out of the body

  // What each turn checks is here and not in the task: the frame that runs is in the cache.
  bool attention = false;  ///< there is more to check: handlers, an error, a cancellation
  bool yields = false;     ///< it was suspended by yield()

  std::uint32_t place = 0;  ///< in the queue, while it is there

  static void* operator new(std::size_t size) { return allocate_frame(size); }
  static void operator delete(void* frame, std::size_t size) noexcept {
    release_frame(frame, size);
  }

  std::suspend_always initial_suspend() const noexcept { return {}; }
  std::suspend_always final_suspend() const noexcept { return {}; }
  void unhandled_exception() noexcept { error = std::current_exception(); }
};

/// What happens to a task: it continues after it was suspended, it is suspended, it finishes. The
/// first start is no `enter`.
enum class Switch { enter, leave, finish };

/// Whether a handler stays.
enum class Keep { yes, no };

/// Is called at each switch of one task. It cannot wait. A handler that it adds to the task is
/// called from the next switch on. If it throws, that is an unhandled error, and the handler is
/// removed.
///
/// TrueAsync: switch handler, handler lifetime, switch moments.
using SwitchHandler = std::function<Keep(Task&, Switch)>;

/// The waits of a task for one or several events, of which it needs the first one.
class Waiting {
 public:
  std::span<Wait> waits;
  std::size_t first = 0;  ///< the index of the event that has happened
  std::source_location where{};
};

/// A coroutine that was spawned, and the coroutines that it calls. It is an event, too: that the
/// task has finished. The object lives while the task runs or a Handle refers to it.
///
/// TrueAsync: early stop, order of a suspend, woken twice.
class Task : public Event, public Link {
 public:
  /// For the scheduler, which adds it to `group`.
  Task(TaskGroup& group, TaskId id, const std::source_location& where)
      : group_(group), id_(id), spawned_at_(where) {}

  static void* operator new(std::size_t size) { return allocate_frame(size, Memory::task); }
  static void operator delete(void* task, std::size_t size) noexcept {
    release_frame(task, size, Memory::task);
  }

  /// Returns its number.
  TaskId id() const { return id_; }

  /// Returns true if its body has returned, has thrown, or will never run.
  bool is_finished() const { return state_ == State::finished; }

  /// Returns true if it was spawned into `group`.
  bool is_in(const TaskGroup& group) const { return &group_ == &group; }

  /// Returns the line that called spawn().
  const std::source_location& spawned_at() const { return spawned_at_; }

  /// Where the task waits, and for what. Null if it does not wait.
  const Waiting* waiting() const { return waiting_; }

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

  // For awaiters: see wait.hpp and coroutine.hpp.

  /// Makes `callee` the innermost coroutine, which runs next.
  void call(Promise& callee, Promise* caller) noexcept {
    callee.task = this;
    callee.caller = caller;
    callee.attention = !caller || caller->attention;
    innermost_ = &callee;
  }

  /// Waits until one of the events happens. Returns false if one has happened while they were
  /// started, or if the task is cancelled: then the task continues at once. If an event cannot be
  /// started, its exception is thrown, and the task waits for none.
  bool wait_for(Waiting& waiting);

  /// Ends the turn. Returns false if the task is cancelled: then it continues at once. It is called
  /// only if there is something to check, so that a plain yield saves no registers for it.
  [[gnu::noinline]] bool yield();

  /// Throws what has come while the task waited: an error, or a cancellation.
  void throw_if_needed() {
    if (innermost_->attention) [[unlikely]]
      throw_what_came();
  }
  [[gnu::noinline]] void throw_what_came();

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
  friend class Event;
  friend class Protection;
  friend class Scheduler;

  /// `active` is ready or running, `starting` is between the first and the last start of an event.
  enum class State : std::uint8_t { fresh, active, starting, waiting, finished };

  void wake(Wait& by, const std::exception_ptr& error) noexcept;
  void leave_events() noexcept;
  Promise* begin_turn();
  void destroy_innermost() noexcept;
  void finish();
  void destroy() noexcept;
  [[noreturn]] void throw_error();
  void tell(Switch what);
  bool must_throw() const { return error_ && !protected_; }
  void ask_for_attention() {
    if (innermost_) innermost_->attention = true;
  }

  TaskGroup& group_;  // may no longer exist when the task has finished
  Promise* innermost_ = nullptr;
  Waiting* waiting_ = nullptr;
  std::exception_ptr error_;  // a cancellation that has not been thrown yet; at the end, the result
  std::unique_ptr<std::list<SwitchHandler>> handlers_;
  TaskId id_;
  std::source_location spawned_at_;
  std::uint32_t references_ = 1;  // by handles, and by the scheduler until the task has finished
  State state_ = State::fresh;
  bool protected_ = false;
  bool cancelled_ = false;
};

/// What tasks need of the scheduler that runs them.
class TaskHost {
 public:
  /// Is called with each error that no task can await.
  virtual void unhandled(std::exception_ptr error) noexcept = 0;

  /// Puts a frame into the queue, where there is room for each task.
  void make_ready(Promise& frame) noexcept { frame.place = ready.push_back_reserved(&frame); }

  RingBuffer<Promise*> ready;  ///< the frames that have the next turns; null for a destroyed one
  std::size_t destroyed = 0;   ///< those in `ready`
  List<TaskGroup> groups;      ///< all groups of this host
  List<Task> failed;           ///< finished with an error that a handle may still throw
  std::size_t living = 0;

 protected:
  ~TaskHost() = default;
};

/// Living tasks that belong together: those of a Scope, or all others.
class TaskGroup : public Link {
 public:
  explicit TaskGroup(TaskHost& of) : host(of) { host.groups.add(*this); }
  virtual ~TaskGroup() { host.groups.remove(*this); }

  /// Is called when a task has finished and left the group. Returns true if the group handles the
  /// error of the task. Otherwise the error is unhandled, unless a handle throws it.
  virtual bool finished(const std::exception_ptr&) noexcept { return false; }

  TaskHost& host;
  List<Task> tasks;  ///< in the order in which they were spawned
};

}  // namespace coop
