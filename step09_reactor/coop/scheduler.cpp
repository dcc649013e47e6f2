#include "scheduler.hpp"

#include <algorithm>
#include <iostream>
#include <sstream>
#include <stdexcept>

namespace coop {
namespace {

thread_local Scheduler* running_here = nullptr;

/// How long tasks may clean up in a shutdown before they are cancelled again, or destroyed.
constexpr Clock::duration patience = std::chrono::seconds(5);

std::string text_of(const std::exception_ptr& error) {
  try {
    std::rethrow_exception(error);
  } catch (const std::exception& exception) {
    return exception.what();
  } catch (...) {
    return "an exception";
  }
}

/// Returns an exception with the text of `second`, and `first` nested in it.
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
      last_poll_(reactor.now()),
      graceful_shutdown_(std::make_exception_ptr(Cancelled("graceful shutdown"))) {}

Scheduler::~Scheduler() {
  destroy_all();
  while (Task* const task = failed.first()) failed.remove(*task);  // handles may outlive this
}

Scheduler& Scheduler::current() {
  if (!running_here) throw std::logic_error("This needs a running scheduler: see coop::run()");
  return *running_here;
}

Task& current_task() {
  Task* const task = Scheduler::current().current_task();
  if (!task) throw std::logic_error("This needs a running task: see coop::spawn()");
  return *task;
}

Task& Scheduler::task(TaskId id) const {
  for (TaskGroup& group : groups) {
    for (Task& task : group.tasks) {
      if (task.id() == id) return task;
    }
  }
  throw std::invalid_argument("Invalid task ID!");
}

void Scheduler::start(Task& task, Promise& body, Priority priority) noexcept {
  task.call(body, nullptr);
  task.group_.tasks.add(task);
  ++living;
  if (priority == Priority::high) {
    body.place = ready.push_front(&body);
  } else {
    make_ready(body);
  }
  if (shutdown_cancellation_) task.cancel(shutdown_cancellation_);
}

void Scheduler::call_main_handlers() {
  for (SwitchHandler& handler : std::exchange(main_handlers_, {})) {
    current_task_->on_switch(std::move(handler));
  }
  if (current_task_->handlers_) current_task_->tell(Switch::enter);
}

/// Does what comes before a turn. Returns false if there will not be another one.
inline bool Scheduler::find_ready() {
  if (turns_ < next_look_ && !ready.empty()) [[likely]]
    return true;
  do {
    if (living == 0 && microtasks_.empty()) return false;
    look_around();
  } while (ready.empty());
  return true;
}

inline void Scheduler::run_turn(Promise* frame) {
  ++turns_;
  Task& task = *frame->task;
  current_task_ = &task;
  if (frame->attention) [[unlikely]]
    frame = task.begin_turn();
  while (frame) {
    frame->handle.resume();
    if (frame->yields) [[likely]] {
      frame->yields = false;
      return make_ready(*frame);
    }
    if (task.innermost_ == frame) {
      if (!frame->handle.done()) return;  // it waits
      task.destroy_innermost();
    }
    frame = task.innermost_;  // its caller, or the coroutine that it has called
  }
  task.finish();
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
  while (find_ready()) {
    if (Promise* const frame = ready.pop_front()) [[likely]]
      run_turn(frame);
    else
      --destroyed;
  }
  shutdown_cancellation_ = nullptr;
  attempts_ = 0;
  if (exit_error_) std::rethrow_exception(std::exchange(exit_error_, nullptr));
}

void Scheduler::look_around() {
  current_task_ = nullptr;
  run_microtasks();
  if (turns_ >= next_poll_ || ready.empty()) poll_reactor();
  next_look_ = pick_ || !microtasks_.empty() ? 0 : next_poll_;
  if (pick_) pick_next();
}

void Scheduler::pick_next() {
  for (std::size_t left = ready.size(); left > 0; --left) {
    if (Promise* const frame = ready.pop_front()) make_ready(*frame);
  }
  destroyed = 0;
  if (ready.empty()) return;
  Promise*& next = ready[pick_(ready.size())];
  std::swap(ready[0]->place, next->place);
  std::swap(ready[0], next);
}

/// Each one leaves the queue before it runs, so that it may queue itself again. After an error, the
/// rest stays queued for the next turn.
void Scheduler::run_microtasks() {
  try {
    while (!microtasks_.empty()) {
      const std::shared_ptr<Microtask> microtask = microtasks_.pop_front();
      if (!microtask->is_cancelled()) microtask->run();
    }
  } catch (...) {
    unhandled(std::current_exception());
  }
}

void Scheduler::poll_reactor() {
  next_poll_ = turns_ + 61;
  if (is_shutting_down() && reactor_.now() >= end_of_attempt_) give_up();
  if (ready.empty()) {
    if (living == 0 || !microtasks_.empty()) return;
    if (!reactor_.active()) return is_shutting_down() ? give_up() : deadlock();
    reactor_.tick(is_shutting_down() ? end_of_attempt_ : Clock::time_point::max());
    last_poll_ = reactor_.now();
  } else if (reactor_.active()) {
    const Clock::time_point now = reactor_.now();
    if (now - last_poll_ < io_interval_) return;
    reactor_.tick(Clock::time_point::min());
    last_poll_ = now;
  }
}

void Scheduler::defer(std::shared_ptr<Microtask> microtask) {
  if (microtask->is_cancelled()) return;
  microtasks_.push_back(std::move(microtask));
  next_look_ = 0;
}

void Scheduler::defer(std::function<void()> action) {
  defer(std::make_shared<Microtask>(std::move(action)));
}

void Scheduler::shuffle(std::function<std::size_t(std::size_t n)> pick) {
  pick_ = std::move(pick);
  next_look_ = 0;
}

void Scheduler::unhandled(std::exception_ptr error) noexcept {
  if (is_cancellation(error)) return;  // never fatal
  if (!on_unhandled_) return shutdown(std::move(error));
  try {
    on_unhandled_(std::move(error));
  } catch (...) {
    shutdown(std::current_exception());
  }
}

void Scheduler::shutdown(std::exception_ptr error) noexcept {
  const bool is_second = error && exit_error_;
  if (is_second && attempts_ > 1) return;
  if (error) exit_error_ = is_second ? chained(exit_error_, error) : std::move(error);
  if (!shutdown_cancellation_) shutdown_cancellation_ = graceful_shutdown_;
  if (attempts_ == 0 || is_second) cancel_all();
}

void Scheduler::cancel_all() noexcept {
  ++attempts_;
  end_of_attempt_ = reactor_.now() + patience;
  for (TaskGroup& group : groups) {
    for (Task& task : group.tasks) {
      task.protected_ = false;
      task.cancel(shutdown_cancellation_);
    }
  }
}

/// The tasks have not ended in time, or nothing can wake them.
void Scheduler::give_up() {
  if (attempts_ == 1) {
    cancel_all();
  } else {
    destroy_all();
  }
}

/// Those that are spawned meanwhile, by destructors, too. The queue is of no use any more, and has
/// room for all of them, so they are sorted there.
void Scheduler::destroy_all() noexcept {
  while (living > 0) {
    ready.clear();
    destroyed = 0;
    for (TaskGroup& group : groups) {
      while (Task* const task = group.tasks.first()) {
        group.tasks.remove(*task);
        ready.push_back_reserved(task->innermost_);
      }
    }
    Promise** const first = &ready[0];
    std::sort(first, first + ready.size(),
              [](const Promise* a, const Promise* b) { return a->task->id() < b->task->id(); });
    List<Task> all;
    while (!ready.empty()) all.add(*ready.pop_front()->task);
    destroy(all);
  }
}

/// Destroys the frames of these tasks where they are suspended, last spawned first. Before the
/// first one, all waits are left, so no event wakes a task any longer. What destructors spawn into
/// the same scope is destroyed, too.
void Scheduler::destroy(List<Task>& group) noexcept {
  List<Task> tasks = std::exchange(group, List<Task>());
  for (Task& task : tasks) {
    Promise** const place = ready.at_place(task.innermost_->place);
    if (place && *place == task.innermost_) {  // a search would take as long as the queue
      *place = nullptr;
      ++destroyed;
    }
    task.leave_events();
    task.state_ = Task::State::finished;
    --living;
  }
  while (Task* const task = tasks.last()) {
    tasks.remove(*task);
    while (task->innermost_) task->destroy_innermost();
    task->handlers_.reset();  // which may hold a handle to it
    static const std::exception_ptr error = std::make_exception_ptr(Cancelled("destroyed"));
    task->error_ = error;
    task->wake_all();
    task->release();
  }
  if (!group.empty()) destroy(group);
}

void Scheduler::deadlock() {
  std::ostringstream out;
  out << "Deadlock detected: no active coroutines, " << living << " coroutines in waiting\n";
  for (TaskGroup& group : groups) {
    for (Task& task : group.tasks) {
      out << "  " << task.description() << ", spawned at " << place(task.spawned_at());
      if (!task.waiting()) {
        out << ", waits for no event of coop\n";
        continue;
      }
      out << ", waits at " << place(task.waiting()->where) << " for";
      const char* separator = " ";
      for (const Wait& wait : task.waiting()->waits) {
        const std::string what = wait.event->description();
        if (!what.empty()) out << std::exchange(separator, " or ") << what;
      }
      out << '\n';
    }
  }
  const std::string report = out.str();
  if (on_deadlock_) {
    on_deadlock_(report);
  } else {
    std::cerr << report;
  }
  const std::string first_line = report.substr(0, report.find('\n'));
  shutdown_cancellation_ = std::make_exception_ptr(Cancelled("Deadlock detected"));
  shutdown(std::make_exception_ptr(Deadlock(first_line)));
}

}  // namespace coop
