#include "scheduler.hpp"

#include <stdexcept>

namespace coop {
using namespace detail;
namespace {
thread_local Scheduler* running_here = nullptr;
}

Scheduler::Scheduler(Reactor& reactor, Time io_interval)
    : reactor_(reactor), io_interval_(io_interval.length), last_poll_(reactor.now()) {}

Scheduler::~Scheduler() {
  destroy_all();
  while (Task* const task = failed.first()) failed.remove(*task);  // handles may outlive this
}

Scheduler& Scheduler::current() {
  if (!running_here) throw std::logic_error("This needs a running scheduler: see coop::run()");
  return *running_here;
}

Task& this_task() {
  Task* const task = Scheduler::current().this_task();
  if (!task) throw std::logic_error("This needs a running task: see coop::spawn()");
  return *task;
}

Task& Scheduler::task(TaskId id) const {
  if (Task* const found = find(id)) return *found;
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
  if (task.group_.cancellation) task.cancel(task.group_.cancellation);
}

void Scheduler::call_main_handlers() {
  for (SwitchHandler& handler : std::exchange(main_handlers_, {})) {
    current_task_->on_switch(std::move(handler));
  }
  if (current_task_->handlers_) current_task_->call_handlers(Switch::enter);
}

/// Does what comes before a turn. Returns false if there will not be another one.
inline bool Scheduler::find_ready() {
  if (turns_ < next_maintenance_ && !ready.empty()) [[likely]]
    return true;
  do {
    if (living == 0 && microtasks_.empty()) return false;
    maintain();
  } while (ready.empty());
  return true;
}

inline void Scheduler::run_turn(Promise* frame) {
  ++turns_;
  Task& task = *frame->task;
  current_task_ = &task;
  if (frame->must_check) [[unlikely]]
    frame = task.begin_turn();
  while (frame) {
    frame->handle().resume();
    if (frame->yields) [[likely]] {
      frame->yields = false;
      return make_ready(*frame);
    }
    if (task.innermost_ == frame) {
      if (!frame->handle().done()) return;  // it waits
      task.destroy_innermost();
    }
    frame = task.innermost_;  // its caller, or the coroutine that it has called
  }
  task.finish();
}

/// While it lives, this scheduler runs on this thread.
struct Scheduler::RunningHere {
  explicit RunningHere(Scheduler& running) : scheduler(running) {}
  RunningHere(const RunningHere&) = delete;
  ~RunningHere() {
    running_here = before;
    scheduler.current_task_ = nullptr;
  }

  Scheduler& scheduler;
  Scheduler* before = std::exchange(running_here, &scheduler);
};

void Scheduler::run() {
  if (current_task_) throw std::logic_error("A task cannot call run()");
  const RunningHere here(*this);
  while (find_ready()) {
    if (Promise* const frame = ready.pop_front()) [[likely]] {
      run_turn(frame);
    } else {
      --destroyed;
    }
  }
  shutdown_.end();
}

void Scheduler::maintain() {
  current_task_ = nullptr;
  run_microtasks();
  if (turns_ >= next_poll_ || ready.empty()) poll_reactor();
  next_maintenance_ = pick_ || !microtasks_.empty() ? 0 : next_poll_;
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
      const std::function<void()> microtask = microtasks_.pop_front();
      microtask();
    }
  } catch (...) {
    unhandled(std::current_exception());
  }
}

void Scheduler::poll_reactor() {
  next_poll_ = turns_ + 61;
  if (is_shutting_down() && reactor_.now() >= shutdown_.end_of_attempt()) shutdown_.try_again();
  if (ready.empty()) {
    wait_for_reactor();
  } else if (reactor_.active()) {
    look_at_reactor();
  }
}

/// Waits, unless there is nothing to wait for, or a microtask has to run first.
void Scheduler::wait_for_reactor() {
  if (living == 0 || !microtasks_.empty()) return;
  if (!reactor_.active()) return is_shutting_down() ? shutdown_.try_again() : deadlock();
  reactor_.tick(shutdown_.end_of_attempt());
  last_poll_ = reactor_.now();
}

/// Does not wait, and not even look if it has looked a short time ago.
void Scheduler::look_at_reactor() {
  const Clock::time_point now = reactor_.now();
  if (now - last_poll_ < io_interval_) return;
  reactor_.tick(Clock::time_point::min());
  last_poll_ = now;
}

void Scheduler::defer(std::function<void()> microtask) {
  microtasks_.push_back(std::move(microtask));
  next_maintenance_ = 0;
}

void Scheduler::shuffle(std::function<std::size_t(std::size_t n)> pick) {
  pick_ = std::move(pick);
  next_maintenance_ = 0;
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

}  // namespace coop
