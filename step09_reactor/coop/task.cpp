#include "task.hpp"

#include <algorithm>

#include "scheduler.hpp"

namespace coop {

void Waiters::wake_all(Event& event, const std::exception_ptr& error) {
  Task* const first = std::exchange(first_, nullptr);
  const std::vector<Task*> others = std::exchange(others_, {});
  if (first) first->wake(event, error);
  for (Task* const task : others) task->wake(event, error);
}

void Task::cancel(std::string reason) {
  if (!is_finished()) cancel_with(std::make_exception_ptr(Cancelled(std::move(reason))));
}

void Task::cancel_with(std::exception_ptr cancellation) noexcept {
  if (is_finished() || thrown_) return;
  if (!error_) error_ = std::move(cancellation);
  if (state_ == State::waiting && must_throw()) {
    stop_events();
    make_ready();
  }
}

void Task::on_switch(SwitchHandler handler) {
  if (!handlers_) handlers_ = std::make_unique<std::vector<SwitchHandler>>();
  handlers_->push_back(std::move(handler));
}

void Task::wake(Event& event, std::exception_ptr error) {
  if (state_ != State::waiting && state_ != State::starting) return;
  woken_by_ = static_cast<std::size_t>(std::ranges::find(events_, &event) - events_.begin());
  thrown_ = std::move(error);
  if (state_ == State::starting) {
    state_ = State::active;  // wait_for() sees it, and stops what it has started
  } else {
    stop_events();
    make_ready();
  }
}

bool Task::wait_for(std::span<Event* const> events, const std::source_location& where) {
  if (must_throw()) return false;
  waits_at_ = where;
  events_ = events.first(0);
  state_ = State::starting;
  for (std::size_t i = 0; i < events.size() && state_ == State::starting && !must_throw(); ++i) {
    events_ = events.first(i + 1);
    try {
      events[i]->start(*this);
    } catch (...) {
      events_ = events.first(i);
      stop_events();
      state_ = State::active;
      throw;
    }
  }
  if (state_ == State::active || must_throw()) {
    state_ = State::active;
    stop_events();
    return false;
  }
  state_ = State::waiting;
  if (handlers_) tell(Switch::leave);
  return true;
}

void Task::throw_what_came() {
  rethrow_error();
  if (must_throw()) std::rethrow_exception(std::exchange(error_, nullptr));
}

/// yield() for a task with handlers, or with a cancellation that may have to wait.
bool Task::yield_watched() {
  if (must_throw()) return false;
  if (handlers_) tell(Switch::leave);
  make_ready();
  return true;
}

/// What has left it is for its caller.
void Task::destroy_innermost() noexcept {
  Promise& ended = *innermost_;
  innermost_ = ended.caller;
  thrown_ = std::move(ended.error);
  ended.handle.destroy();
}

void Task::stop_events() noexcept {
  for (Event* const event : std::exchange(events_, {})) event->stop(*this);
}

void Task::make_ready() {
  state_ = State::active;
  scheduler_->ready_.push_back_reserved(this);
}

void Task::tell(Switch what) {
  std::vector<SwitchHandler> now;
  now.swap(*handlers_);
  for (SwitchHandler& handler : now) {
    Keep keep = Keep::no;
    try {
      keep = handler(*this, what);
    } catch (...) {
      scheduler_->fail(std::current_exception());
    }
    if (keep == Keep::no) handler = nullptr;
  }
  std::erase_if(now, [](const SwitchHandler& handler) { return !handler; });
  now.insert(now.end(), handlers_->begin(), handlers_->end());  // those that came meanwhile
  handlers_->swap(now);
  if (handlers_->empty()) handlers_.reset();
}

TaskReference::TaskReference(Task& task) noexcept : task_(&task) {
  ++task.references_;
  ++task.handles_;
}

TaskReference::~TaskReference() {
  const bool unseen = --task_->handles_ == 0 && task_->is_finished() && !task_->observed_;
  if (task_->handles_ == 0 && task_->kept_) task_->scheduler_->forget(*task_);
  if (unseen && task_->error_ && task_->scheduler_) {
    task_->scheduler_->unhandled(std::exchange(task_->error_, nullptr));
  }
  if (--task_->references_ == 0) delete task_;
}

void TaskReference::rethrow_error() const {
  task_->observed_ = true;
  if (task_->error_) std::rethrow_exception(task_->error_);
}

}  // namespace coop
