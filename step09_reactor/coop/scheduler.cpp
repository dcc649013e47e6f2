#include "scheduler.hpp"

#include <stdexcept>

namespace coop {
namespace {

thread_local Scheduler* running_here = nullptr;

}  // namespace

Scheduler::Scheduler(Reactor& reactor, Clock::duration io_interval)
    : reactor_(reactor),
      io_interval_(io_interval),
      last_look_(reactor.now()),
      shutdown_(std::make_exception_ptr(Cancelled("graceful shutdown"))) {}

Scheduler::~Scheduler() {
  while (!living_.empty()) discard_all();
  while (Task* const task = kept_.first()) {
    kept_.remove(*task);
    task->kept_ = false;
    task->scheduler_ = nullptr;  // a handle may outlive this
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
  for (Task* task = living_.first(); task; task = task->next_) {
    if (task->id_ == id) return *task;
  }
  throw std::invalid_argument("Invalid task ID!");
}

/// Does what stands before a turn. False when there will not be another one.
inline bool Scheduler::find_ready() {
  if (turns_ < next_look_ && !ready_.empty()) [[likely]]
    return true;
  do {
    if (living_.empty() && microtasks_.empty()) return false;
    look_around();
  } while (ready_.empty());
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
      return ready_.push_back_reserved(frame);
    }
    if (task.innermost_ == frame) {
      if (!frame->handle.done()) return;
      task.destroy_innermost();
    }
    frame = task.innermost_;
  }
  finish(task);
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
  while (find_ready()) run_turn(ready_.pop_front());
  shutting_down_ = false;
  count_at_deadlock_ = 0;
  if (exit_error_) std::rethrow_exception(std::exchange(exit_error_, nullptr));
}

void Scheduler::look_around() {
  current_task_ = nullptr;
  run_microtasks();
  if (turns_ >= next_look_at_reactor_ || ready_.empty()) look_at_reactor();
  next_look_ = pick_ || !microtasks_.empty() ? 0 : next_look_at_reactor_;
  if (pick_ && !ready_.empty()) std::swap(ready_[0], ready_[pick_(ready_.size())]);
}

/// Each leaves the queue before it runs, so that it may queue itself again.
void Scheduler::run_microtasks() {
  try {
    while (!microtasks_.empty()) {
      const std::shared_ptr<Microtask> microtask = microtasks_.pop_front();
      if (!microtask->is_cancelled()) microtask->run();
    }
  } catch (...) {
    fail(std::current_exception());  // the rest stays queued for the next turn
  }
}

void Scheduler::look_at_reactor() {
  next_look_at_reactor_ = turns_ + 61;
  if (ready_.empty()) {
    if (living_.empty() || !microtasks_.empty()) return;
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

void Scheduler::finish(Task& task) {
  task.state_ = Task::State::finished;
  task.error_ = std::exchange(task.thrown_, nullptr);
  if (task.handlers_) task.tell(Switch::finish);
  task.handlers_.reset();
  living_.remove(task);
  --living_count_;
  task.waiters_.wake_all(task);
  if (task.error_ && task.handles_ == 0) {
    unhandled(std::exchange(task.error_, nullptr));
  } else if (task.error_) {
    task.kept_ = true;  // for whoever has a handle
    kept_.add(task);
  }
  task.in_use_ = false;
  if (task.handles_ == 0) delete &task;
}

void Scheduler::defer(std::shared_ptr<Microtask> microtask) {
  if (microtask->is_cancelled()) return;
  microtasks_.push_back(std::move(microtask));
  next_look_ = 0;
}

void Scheduler::defer(std::function<void()> action) {
  defer(std::make_shared<Microtask>(std::move(action)));
}

void Scheduler::add(Task& task, Promise& body, Priority priority) {
  max_task_id_ = task.id_;
  task.call(body, nullptr);
  living_.add(task);
  ++living_count_;
  if (priority == Priority::high) {
    ready_.push_front(&body);
  } else {
    ready_.push_back_reserved(&body);
  }
}

/// Destroys all that live, where they stand; not those that are spawned meanwhile. Before the first
/// frame goes, nothing may wake a task any more: destructors run, and events stand in frames, too.
void Scheduler::discard_all() noexcept {
  const TaskId last = max_task_id_;
  for (Task* task = living_.first(); task; task = task->next_) {
    task->stop_events();
    task->state_ = Task::State::finished;
  }
  while (!living_.empty() && living_.first()->id_ <= last) discard(*living_.first());
}

void Scheduler::discard(Task& task) noexcept {
  living_.remove(task);
  --living_count_;
  while (task.innermost_) task.destroy_innermost();
  task.handlers_.reset();   // which may hold a handle to it
  task.error_ = shutdown_;  // for whoever has a handle and looks
  task.observed_ = true;
  task.in_use_ = false;
  if (task.handles_ == 0) delete &task;
}

}  // namespace coop
