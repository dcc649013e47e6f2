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
#include "microtask.hpp"
#include "reactor.hpp"
#include "ring_buffer.hpp"
#include "task_list.hpp"

namespace coop {

/// Where a task goes when it is spawned: behind all that are ready, or before them. It holds for
/// this one time; afterwards a task is like any other. Two that are spawned high, one after the
/// other, run last in, first out.
///
/// TrueAsync page, rows 20 to 22 of the chapter's table.
enum class Priority { normal, high };

/// Lets tasks take turns on one thread. A turn: the microtasks, a look at the reactor if it is time
/// for one, then one task, until it suspends.
///
/// TrueAsync page, sections "Scheduler" and "Main loop".
class Scheduler {
 public:
  /// While tasks are ready, the reactor is asked every 61 turns, if `io_interval` has passed since
  /// the last time. So a task that waits for the outside is woken after that interval and 61 turns
  /// at the latest. With nothing ready, the reactor is asked at once, and waits.
  explicit Scheduler(Reactor& reactor, Clock::duration io_interval = std::chrono::milliseconds(2));
  Scheduler(const Scheduler&) = delete;
  Scheduler& operator=(const Scheduler&) = delete;

  /// Tasks that still live are destroyed, in the order of their ids; nothing is thrown into them.
  ~Scheduler();

  /// Makes a task that runs `body`. Its first turn comes behind all that are ready, or before them
  /// with a high priority.
  template <typename T>
  Handle<T> spawn(Coroutine<T> body, Priority priority = Priority::normal,
                  const std::source_location& where = std::source_location::current());

  /// Runs until no task lives. Throws the error that has started the shutdown, if one has, and
  /// Deadlock if tasks waited for what could not come any more; after every task has ended.
  void run();

  /// The same, with a first task, whose handlers are those of on_main_start().
  void run(Coroutine<> main, const std::source_location& where = std::source_location::current());

  /// A handler for the task that run(main) will make. Its first start is an `enter`.
  void on_main_start(SwitchHandler handler) { main_handlers_.push_back(std::move(handler)); }

  /// Queues a microtask. One that is cancelled already is not queued.
  void defer(std::shared_ptr<Microtask> microtask);
  void defer(std::function<void()> action);

  /// Ends the program: every task is cancelled, protected or not, and run() throws `error`, if
  /// there is one, when all have ended. A second error replaces the first, as a
  /// `std::runtime_error` that says the same and has the first one nested in it.
  void shutdown(std::exception_ptr error = nullptr) noexcept;
  bool is_shutting_down() const { return shutting_down_; }

  /// Who is told of an error that nobody awaits. Without one, it starts the shutdown.
  void on_unhandled(std::function<void(std::exception_ptr)> handler) {
    on_unhandled_ = std::move(handler);
  }

  /// Who is given the report of a deadlock: a line for each task that waits. Without one, it goes
  /// to stderr.
  void on_deadlock(std::function<void(const std::string&)> handler) {
    on_deadlock_ = std::move(handler);
  }

  /// For tests: which of the `n` ready tasks has the next turn. If `pick` throws, that comes out of
  /// run() before the turn; another run() goes on where this one stopped.
  void shuffle(std::function<std::size_t(std::size_t n)> pick) {
    pick_ = std::move(pick);
    next_look_ = 0;
  }

  /// The living task of that id, looked for among all that live. Throws `std::invalid_argument` if
  /// there is none.
  Task& task(TaskId id) const;

  Reactor& reactor() const { return reactor_; }

  /// The task that runs; null in microtasks and outside of run().
  Task* current_task() const { return current_task_; }

  /// How many turns tasks have had.
  std::uint64_t turns() const { return turns_; }

  /// The scheduler whose run() is running on this thread. Without one it is a `std::logic_error`.
  static Scheduler& current();

 private:
  friend class Task;
  friend class TaskReference;

  bool find_ready();
  void look_around();
  void run_microtasks();
  void look_at_reactor();
  void run_turn(Promise* frame);
  void finish(Task& task);
  void fail(std::exception_ptr error);
  void unhandled(std::exception_ptr error);
  void deadlock();
  std::string deadlock_report() const;
  void add(Task& task, Promise& body, Priority priority);
  void discard_all() noexcept;
  void discard(Task& task) noexcept;

  Reactor& reactor_;
  Clock::duration io_interval_;
  Clock::time_point last_look_;
  std::uint64_t turns_ = 0;
  std::uint64_t next_look_ = 0;  // at microtasks and reactor, counted in turns
  std::uint64_t next_look_at_reactor_ = 0;
  RingBuffer<Promise*> ready_;
  RingBuffer<std::shared_ptr<Microtask>> microtasks_;
  Task* current_task_ = nullptr;
  TaskId max_task_id_ = 0;
  TaskList living_;
  std::size_t living_count_ = 0;
  std::size_t count_at_deadlock_ = 0;
  TaskList kept_;  // those that finished with an error which somebody may still see
  bool shutting_down_ = false;
  std::exception_ptr exit_error_;
  std::exception_ptr shutdown_;  // what is thrown into all; made before memory may be short
  std::vector<SwitchHandler> main_handlers_;
  std::function<void(std::exception_ptr)> on_unhandled_;
  std::function<void(const std::string&)> on_deadlock_;
  std::function<std::size_t(std::size_t)> pick_;
};

template <typename T>
Handle<T> Scheduler::spawn(Coroutine<T> body, Priority priority,
                           const std::source_location& where) {
  ready_.reserve(living_count_ + 1);  // so that nothing can fail when a task gets ready
  auto task = std::make_unique<TaskOf<T>>(*this, max_task_id_ + 1, where);
  auto& promise = body.release();
  if constexpr (!std::is_void_v<T>) promise.result = &task->result;
  add(*task, promise, priority);
  return Handle<T>(*task.release());
}

/// Spawns on the scheduler that runs on this thread.
template <typename T>
Handle<T> spawn(Coroutine<T> body, Priority priority = Priority::normal,
                const std::source_location& where = std::source_location::current()) {
  return Scheduler::current().spawn(std::move(body), priority, where);
}

/// The task that runs on this thread. Without one it is a `std::logic_error`.
Task& current_task();

}  // namespace coop
