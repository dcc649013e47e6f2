#include "task.hpp"

#include <algorithm>
#include <iterator>

#include "scheduler.hpp"

namespace coop {

void Waiters::wake_each(Event& event, const std::exception_ptr& error) {
  Task* const first = std::exchange(first_, nullptr);
  const std::vector<Task*> others = std::exchange(others_, {});
  if (first) first->wake(event, error);
  for (Task* const task : others) task->wake(event, error);
}

void Task::cancel(std::string reason) {
  cancel_with(std::make_exception_ptr(Cancelled(std::move(reason))));
}

void Task::cancel_with(std::exception_ptr cancellation) noexcept {
  if (is_finished()) return;
  if (!error_) error_ = std::move(cancellation);
  ask_for_attention();
  if (state_ == State::waiting && must_throw()) {
    stop_events();
    make_ready();
  }
}

void Task::on_switch(SwitchHandler handler) {
  if (is_finished()) return;
  if (!handlers_) handlers_ = std::make_unique<std::list<SwitchHandler>>();
  handlers_->push_back(std::move(handler));
  ask_for_attention();
}

void Task::wake(Event& event, std::exception_ptr error) {
  if (state_ != State::waiting && state_ != State::starting) return;
  woken_by_ = static_cast<std::size_t>(std::ranges::find(events_, &event) - events_.begin());
  thrown_ = std::move(error);
  if (thrown_) ask_for_attention();
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

/// What comes before a turn, if there is anything. A task that was cancelled before its first one
/// never runs.
Promise* Task::begin_turn() {
  const bool starts = state_ == State::fresh;
  state_ = State::active;
  if (handlers_ && (!starts || enters_at_start_)) tell(Switch::enter);
  if (starts && error_) {
    while (innermost_) destroy_innermost();
    thrown_ = std::exchange(error_, nullptr);
  }
  if (innermost_) innermost_->attention = handlers_ || error_ || thrown_;
  return innermost_;
}

void Task::throw_what_came() {
  rethrow_error();
  if (must_throw()) std::rethrow_exception(std::exchange(error_, nullptr));
}

bool Task::yield() {
  if (must_throw()) return false;
  if (handlers_) tell(Switch::leave);
  innermost_->yields = true;
  return true;
}

/// What has left it is for its caller.
void Task::destroy_innermost() noexcept {
  Promise& ended = *innermost_;
  innermost_ = ended.caller;
  thrown_ = std::move(ended.error);
  if (innermost_ && ended.attention) innermost_->attention = true;
  ended.handle.destroy();
}

void Task::stop_events() noexcept {
  for (Event* const event : std::exchange(events_, {})) event->stop(*this);
}

void Task::make_ready() {
  state_ = State::active;
  scheduler_->ready_.push_back_reserved(innermost_);
}

/// A handler that a handler adds stands behind the last and is not reached.
void Task::tell(Switch what) {
  auto handler = handlers_->begin();
  for (std::size_t left = handlers_->size(); left > 0; --left) {
    Keep keep = Keep::no;
    try {
      keep = (*handler)(*this, what);
    } catch (...) {
      scheduler_->fail(std::current_exception());
    }
    handler = keep == Keep::yes ? std::next(handler) : handlers_->erase(handler);
  }
  if (handlers_->empty()) handlers_.reset();
}

void TaskList::add(Task& task) noexcept {
  task.previous_ = std::exchange(last_, &task);
  (task.previous_ ? task.previous_->next_ : first_) = &task;
}

void TaskList::remove(Task& task) noexcept {
  (task.previous_ ? task.previous_->next_ : first_) = task.next_;
  (task.next_ ? task.next_->previous_ : last_) = task.previous_;
  task.previous_ = task.next_ = nullptr;
}

/// Of a finished task.
void Task::lose_last_handle() noexcept {
  if (kept_) scheduler_->kept_.remove(*this);
  if (error_ && !observed_ && scheduler_) scheduler_->unhandled(std::exchange(error_, nullptr));
  if (!in_use_) delete this;
}

void TaskReference::rethrow_error() const {
  task_->observed_ = true;
  if (task_->error_) std::rethrow_exception(task_->error_);
}

}  // namespace coop
