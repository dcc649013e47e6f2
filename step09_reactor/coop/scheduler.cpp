#include "scheduler.hpp"

#include <iostream>
#include <sstream>
#include <stdexcept>

namespace coop {
namespace {

thread_local Scheduler* running_here = nullptr;

bool is_cancellation(const std::exception_ptr& error) {
  try {
    std::rethrow_exception(error);
  } catch (const Cancelled&) {
    return true;
  } catch (...) {
    return false;
  }
}

std::string text_of(const std::exception_ptr& error) {
  try {
    std::rethrow_exception(error);
  } catch (const std::exception& exception) {
    return exception.what();
  } catch (...) {
    return "an exception";
  }
}

/// `second`, with `first` nested in it.
std::exception_ptr chained(const std::exception_ptr& first,
                           const std::exception_ptr& second) noexcept {
  try {
    const std::string what = text_of(second);
    try {
      std::rethrow_exception(first);
    } catch (...) {
      std::throw_with_nested(std::runtime_error(what));
    }
  } catch (...) {
    return std::current_exception();
  }
}

std::string place(const std::source_location& where) {
  const std::string file = where.file_name();
  return file.substr(file.rfind('/') + 1) + ":" + std::to_string(where.line());
}

}  // namespace

Scheduler::Scheduler(Reactor& reactor, Clock::duration io_interval)
    : reactor_(reactor),
      io_interval_(io_interval),
      last_look_(reactor.now()),
      shutdown_(std::make_exception_ptr(Cancelled("graceful shutdown"))) {}

Scheduler::~Scheduler() {
  // Nothing may be told any more, before the first frame goes: events stand in frames, too.
  for (Task* task = first_; task; task = task->next_) task->stop_events();
  while (first_) discard(*first_);
  while (kept_) {
    kept_->scheduler_ = nullptr;  // a handle may outlive this
    forget(*kept_);
  }
}

Scheduler& Scheduler::current() {
  if (!running_here) throw std::logic_error("No scheduler runs on this thread");
  return *running_here;
}

Task& current_task() {
  Task* const task = Scheduler::current().current_task();
  if (!task) throw std::logic_error("No task runs on this thread");
  return *task;
}

void Scheduler::run(Coroutine<> main, const std::source_location& where) {
  {  // No handle is left when it runs: what leaves it is unhandled.
    const Handle<void> handle = spawn(std::move(main), Priority::normal, where);
    for (SwitchHandler& handler : std::exchange(main_handlers_, {})) {
      handle->on_switch(std::move(handler));
      handle->enters_at_start_ = true;
    }
  }
  run();
}

Task& Scheduler::task(TaskId id) const {
  for (Task* task = first_; task; task = task->next_) {
    if (task->id_ == id) return *task;
  }
  throw std::invalid_argument("Invalid task ID!");
}

inline void Scheduler::resume(Task& task) {
  ++turns_;
  current_task_ = &task;
  if (task.state_ == Task::State::fresh) [[unlikely]] {
    start(task);
  } else if (task.handlers_) [[unlikely]] {
    task.tell(Switch::enter);
  }
  task.run();
  if (!task.innermost_) [[unlikely]]
    finish(task);
}

inline void Scheduler::turn() {
  if (!microtasks_.empty()) [[unlikely]]
    run_microtasks();
  if (ready_.empty() || turns_ >= next_look_) [[unlikely]]
    look_at_reactor();
  if (!ready_.empty()) [[likely]]
    resume(pick_ ? picked_task() : *ready_.pop_front());
}

void Scheduler::run() {
  if (current_task_) throw std::logic_error("A task cannot call run()");
  struct Here {
    explicit Here(Scheduler& running) : scheduler(running) {}
    Here(const Here&) = delete;
    ~Here() {
      running_here = before;
      scheduler.current_task_ = nullptr;
    }
    Scheduler& scheduler;
    Scheduler* before = std::exchange(running_here, &scheduler);
  } const here(*this);
  while (first_ || !microtasks_.empty()) turn();
  shutting_down_ = false;
  if (exit_error_) std::rethrow_exception(std::exchange(exit_error_, nullptr));
}

void Scheduler::look_at_reactor() {
  next_look_ = turns_ + 61;
  current_task_ = nullptr;
  if (ready_.empty()) {
    if (!first_ || !microtasks_.empty()) return;
    if (!reactor_.active()) return deadlock();
    reactor_.tick(true);
    last_look_ = reactor_.now();
  } else if (reactor_.active()) {
    const Clock::time_point now = reactor_.now();
    if (now - last_look_ < io_interval_) return;
    reactor_.tick(false);
    last_look_ = now;
  }
}

/// Each leaves the queue before it runs, so that it may queue itself again.
void Scheduler::run_microtasks() {
  current_task_ = nullptr;
  try {
    while (!microtasks_.empty()) {
      const std::shared_ptr<Microtask> microtask = microtasks_.pop_front();
      if (!microtask->is_cancelled()) microtask->run();
    }
  } catch (...) {
    fail(std::current_exception());  // the rest stays queued for the next turn
  }
}

Task& Scheduler::picked_task() {
  std::swap(ready_[0], ready_[pick_(ready_.size())]);
  return *ready_.pop_front();
}

/// The first turn. A task that was cancelled before it never runs.
void Scheduler::start(Task& task) {
  task.state_ = Task::State::active;
  if (task.enters_at_start_) task.tell(Switch::enter);
  if (!task.error_) return;
  while (task.innermost_) task.destroy_innermost();
  task.thrown_ = std::exchange(task.error_, nullptr);
}

void Scheduler::finish(Task& task) {
  task.state_ = Task::State::finished;
  task.error_ = std::exchange(task.thrown_, nullptr);
  if (task.handlers_) task.tell(Switch::finish);
  task.handlers_.reset();
  remove(task);
  task.waiters_.wake_all(task);
  if (task.error_ && task.handles_ == 0) {
    unhandled(std::exchange(task.error_, nullptr));
  } else if (task.error_) {
    keep(task);
  }
  if (--task.references_ == 0) delete &task;
}

void Scheduler::defer(std::shared_ptr<Microtask> microtask) {
  if (!microtask->is_cancelled()) microtasks_.push_back(std::move(microtask));
}

void Scheduler::defer(std::function<void()> action) {
  defer(std::make_shared<Microtask>(std::move(action)));
}

void Scheduler::shutdown(std::exception_ptr error) noexcept {
  if (error) exit_error_ = exit_error_ ? chained(exit_error_, error) : error;
  shutting_down_ = true;
  for (Task* task = first_; task; task = task->next_) {
    task->protections_ = 0;
    task->cancel_with(shutdown_);
  }
}

void Scheduler::fail(std::exception_ptr error) {
  if (!is_cancellation(error)) shutdown(std::move(error));
}

void Scheduler::unhandled(std::exception_ptr error) {
  if (is_cancellation(error)) return;  // never fatal
  if (!on_unhandled_) return shutdown(std::move(error));
  try {
    on_unhandled_(std::move(error));
  } catch (...) {
    shutdown(std::current_exception());
  }
}

void Scheduler::deadlock() {
  std::ostringstream report;
  report << "Deadlock detected: no active coroutines, " << living_ << " coroutines in waiting\n";
  for (const Task* task = first_; task; task = task->next_) {
    report << "  task " << task->id_ << ", spawned at " << place(task->spawned_at_) << ", waits at "
           << place(task->waits_at_) << " for";
    const char* separator = " ";
    for (const Event* const event : task->events_) {
      report << std::exchange(separator, " or ") << event->description();
    }
    report << '\n';
  }
  if (on_deadlock_) {
    on_deadlock_(report.str());
  } else {
    std::cerr << report.str();
  }
  const std::string text = report.str();
  shutdown(std::make_exception_ptr(Deadlock(text.substr(0, text.find('\n')))));
}

void Scheduler::add(Task& task, Promise& body, Priority priority) {
  max_task_id_ = task.id_;
  ++living_;
  ++task.references_;
  task.call(body, nullptr);
  task.previous_ = std::exchange(last_, &task);
  (task.previous_ ? task.previous_->next_ : first_) = &task;
  if (priority == Priority::high) {
    ready_.push_front(&task);
  } else {
    ready_.push_back(&task);
  }
}

void Scheduler::remove(Task& task) noexcept {
  --living_;
  (task.previous_ ? task.previous_->next_ : first_) = task.next_;
  (task.next_ ? task.next_->previous_ : last_) = task.previous_;
  task.previous_ = task.next_ = nullptr;
}

/// The error of a finished task waits for somebody with a handle.
void Scheduler::keep(Task& task) noexcept {
  task.kept_ = true;
  task.next_ = std::exchange(kept_, &task);
  if (task.next_) task.next_->previous_ = &task;
}

void Scheduler::forget(Task& task) noexcept {
  task.kept_ = false;
  (task.previous_ ? task.previous_->next_ : kept_) = task.next_;
  if (task.next_) task.next_->previous_ = task.previous_;
  task.previous_ = task.next_ = nullptr;
}

/// Destroys a task where it stands.
void Scheduler::discard(Task& task) noexcept {
  remove(task);
  task.stop_events();
  while (task.innermost_) task.destroy_innermost();
  task.handlers_.reset();  // which may hold a handle to it
  task.state_ = Task::State::finished;
  task.thrown_ = task.error_ = nullptr;
  task.scheduler_ = nullptr;
  if (--task.references_ == 0) delete &task;
}

}  // namespace coop
