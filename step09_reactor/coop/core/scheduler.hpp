#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <source_location>
#include <string>
#include <utility>
#include <vector>

#include "cancellation.hpp"
#include "handle.hpp"
#include "reactor.hpp"
#include "shutdown.hpp"

namespace coop {

/// Where a task is put into the queue when it is spawned: at the end, or before all others. This
/// holds for its first turn only. If two tasks are spawned high, the second one runs first.
///
/// TrueAsync: two priorities, head of the queue.
enum class Priority { normal, high };

/// Lets tasks take turns on one thread. Before a turn, it runs the microtasks, and polls the
/// reactor if it is time. Then it resumes one task until that is suspended.
///
/// TrueAsync: idle loop, order of a turn, reactor interval.
class Scheduler final : detail::TaskHost {
 public:
  /// While tasks are ready, the reactor is polled every 61 turns, if `io_interval` has passed since
  /// the last time. If no task is ready, it is polled at once, and waits.
  explicit Scheduler(Reactor& reactor, Time io_interval = std::chrono::milliseconds(2));

  /// Destroys the tasks that still live, last spawned first. Nothing is thrown into them.
  ~Scheduler();

  /// Starts a task that runs `body`. Throws `std::invalid_argument` if `body` has run already.
  template <typename T>
  Handle<T> spawn(Coroutine<T> body, Priority priority = Priority::normal,
                  const std::source_location& where = std::source_location::current()) {
    return spawn_into(root_, std::move(body), priority, where);
  }

  /// Runs until no task lives. Then throws the error that started the shutdown, if there was a
  /// shutdown with an error, and Deadlock if tasks waited and nothing could wake them. Throws
  /// `std::logic_error` if a task of this scheduler calls it. A microtask that calls it waits until
  /// no task lives.
  void run();

  /// Spawns `main`, runs, and returns the result of `main`, or throws its error, which is unhandled
  /// and starts the shutdown. Throws Cancelled if there is no result because `main` was cancelled.
  template <typename T>
  T run(Coroutine<T> main, const std::source_location& where = std::source_location::current()) {
    Stored<T> result;
    spawn(keep_result(std::move(main), &result), Priority::normal, where);
    run();
    if constexpr (!std::is_void_v<T>) {
      if (!result) throw Cancelled("the main task was cancelled");
      return std::move(*result);
    }
  }

  /// Adds a handler for the task that the next run(main) will spawn. Its first start is an `enter`.
  void on_main_start(SwitchHandler handler) { main_handlers_.push_back(std::move(handler)); }

  /// Queues a microtask, a short action that needs no coroutine. It runs before the next turn, on
  /// the stack of the loop, so it cannot wait. An error that it throws is unhandled. As long as one
  /// queues another one, no task has a turn and no timer fires.
  ///
  /// TrueAsync: microtask, microtask order.
  void defer(std::function<void()> microtask);

  /// Ends the program: cancels every task, protected or not, and those that are spawned from now
  /// on, but not into a scope that is created from now on. run() throws `error`, if there is one,
  /// when all have finished. A second error cancels every task again, and replaces the first as a
  /// `std::runtime_error` with the same text and the first one nested in it. Further errors are
  /// dropped.
  ///
  /// Tasks that still live after five seconds, or that nothing can wake, are cancelled once more.
  /// Those that still live after five more seconds, or that nothing can wake then, are destroyed,
  /// last spawned first. So run() returns whatever tasks do, if each of them ends its turns.
  void shutdown(std::exception_ptr error = nullptr) noexcept { shutdown_.begin(std::move(error)); }

  /// Returns true after shutdown().
  bool is_shutting_down() const { return root_.cancellation != nullptr; }

  /// Sets the function that is called with an error that no task can await. Without one, and if the
  /// function throws, the shutdown starts. The function must not replace itself.
  void on_unhandled(std::function<void(std::exception_ptr)> handler) {
    on_unhandled_ = std::move(handler);
  }

  /// Sets the function that is called with the report of a deadlock: a line for each task that
  /// waits. Without one, the report is written to stderr. The function must not replace itself.
  void on_deadlock(std::function<void(const std::string&)> handler) {
    on_deadlock_ = std::move(handler);
  }

  /// For tests: sets which of the `n` ready tasks has the next turn. If `pick` throws, the
  /// exception propagates out of run() before the turn, and another run() continues there. It must
  /// not replace itself.
  void shuffle(std::function<std::size_t(std::size_t n)> pick);

  /// Searches the living tasks for that id. Throws `std::invalid_argument` if none has it.
  Task& task(TaskId id) const;

  /// Returns the reactor that the scheduler polls.
  Reactor& reactor() const { return reactor_; }

  /// Returns the task that runs, or null in microtasks and outside run().
  Task* this_task() const { return current_task_; }

  /// Returns how many turns tasks have had.
  std::uint64_t turns() const { return turns_; }

  /// Returns the scheduler that runs on this thread. Without one it throws `std::logic_error`.
  static Scheduler& current();

 private:
  friend class Scope;
  struct RunningHere;

  template <typename T>
  Handle<T> spawn_into(detail::TaskGroup& group, Coroutine<T> body, Priority priority,
                       const std::source_location& where) {
    ready.reserve(living + destroyed + 1);  // so that nothing can fail when a task is woken
    auto task = std::make_unique<detail::TaskOf<T>>(group, last_id_ + 1, where);
    auto& promise = body.release();
    ++last_id_;
    if constexpr (!std::is_void_v<T>) promise.result = &task->result;
    start(*task, promise, priority);
    return Handle<T>(*task.release());
  }

  /// Runs in the main task.
  template <typename T>
  Coroutine<> keep_result(Coroutine<T> main, Stored<T>* result) {
    call_main_handlers();
    if constexpr (std::is_void_v<T>) {
      co_await std::move(main);
    } else {
      T value = co_await std::move(main);
      result->emplace(std::move(value));
    }
  }

  void call_main_handlers();
  void start(Task& task, detail::Promise& body, Priority priority) noexcept;
  bool find_ready();
  void maintain();
  void pick_next();
  void run_microtasks();
  void poll_reactor();
  void wait_for_reactor();
  void look_at_reactor();
  void run_turn(detail::Promise* frame);
  void unhandled(std::exception_ptr error) noexcept override;
  void deadlock();

  Reactor& reactor_;
  Clock::duration io_interval_;
  Clock::time_point last_poll_;
  TaskId last_id_ = 0;
  std::uint64_t turns_ = 0;
  std::uint64_t next_maintenance_ = 0;  // counted in turns
  std::uint64_t next_poll_ = 0;         // of the reactor
  Task* current_task_ = nullptr;
  detail::TaskGroup root_{*this};
  detail::RingBuffer<std::function<void()>> microtasks_;
  detail::Shutdown shutdown_{root_, reactor_};
  std::vector<SwitchHandler> main_handlers_;
  std::function<void(std::exception_ptr)> on_unhandled_;
  std::function<void(const std::string&)> on_deadlock_;
  std::function<std::size_t(std::size_t)> pick_;
};

/// Spawns a task on the scheduler that runs on this thread.
template <typename T>
Handle<T> spawn(Coroutine<T> body, Priority priority = Priority::normal,
                const std::source_location& where = std::source_location::current()) {
  return Scheduler::current().spawn(std::move(body), priority, where);
}

/// Returns the task that runs on this thread. Without one it throws `std::logic_error`.
Task& this_task();

}  // namespace coop
