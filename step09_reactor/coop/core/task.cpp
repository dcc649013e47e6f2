#include "task.hpp"

#include <iterator>
#include <utility>

#include "cancellation.hpp"
#include "task_group.hpp"
#include "wait.hpp"

namespace coop {
using namespace detail;

void Task::cancel(std::string reason) {
  cancel(std::make_exception_ptr(Cancelled(std::move(reason))));
}

void Task::cancel(const std::exception_ptr& cancellation) noexcept {
  if (is_finished()) return;
  cancelled_ = true;
  if (!error_) error_ = cancellation;
  check_next_turn();
  if (state_ == State::waiting && must_throw()) {
    leave_events();
    state_ = State::active;
    become_ready();
  }
}

void Task::on_switch(SwitchHandler handler) {
  if (is_finished()) return;
  if (!handlers_) handlers_ = std::make_unique<std::list<SwitchHandler>>();
  handlers_->push_back(std::move(handler));
  check_next_turn();
}

bool Task::wait_for(EventAwaiter& waiting) {
  if (must_throw()) return false;
  waiting_ = &waiting;
  state_ = State::starting;
  try {
    enter_events();
  } catch (...) {
    leave_events();
    state_ = State::active;
    throw;
  }
  if (state_ == State::active || must_throw()) {
    leave_events();
    state_ = State::active;
    return false;
  }
  state_ = State::waiting;
  if (handlers_) call_handlers(Switch::leave);
  return true;
}

/// Ends early if an event happens while it is started, or if the task is cancelled meanwhile.
void Task::enter_events() {
  for (Wait& wait : waiting_->waits()) {
    wait.task = this;
    wait.event->add(wait);
    if (state_ == State::active || must_throw()) return;
  }
}

/// Also cancels the tasks that any_of() has started, before one of them has another turn.
void Task::leave_events() noexcept {
  if (!waiting_) return;
  const EventAwaiter& ended = *std::exchange(waiting_, nullptr);
  for (Wait& wait : ended.waits()) wait.event->remove(wait);
  if (TaskGroup* const tasks = ended.cancels_) {
    static const std::exception_ptr late = std::make_exception_ptr(Cancelled("not the first"));
    tasks->cancel(must_throw() ? error_ : late);
  }
}

void Task::wake(Wait& by, const std::exception_ptr& error) noexcept {
  const bool was_waiting = state_ == State::waiting;
  waiting_->set_first(by);
  leave_events();
  state_ = State::active;
  if (error) {
    innermost_->error = error;
    innermost_->must_check = true;
  }
  if (was_waiting) become_ready();
}

void Event::wake_first(const std::exception_ptr& error) noexcept {
  waits_.first()->task->wake(*waits_.first(), error);
}

void Task::become_ready() noexcept {
  group_.host.make_ready(*innermost_);
}

bool Task::yield() {
  if (must_throw()) return false;
  if (handlers_) call_handlers(Switch::leave);
  innermost_->yields = true;
  return true;
}

/// What comes before a turn, if there is something to check. A task that was cancelled before its
/// first turn never runs.
Promise* Task::begin_turn() {
  const bool starts = state_ == State::fresh;
  state_ = State::active;
  if (handlers_ && !starts) call_handlers(Switch::enter);
  if (starts && error_) {
    while (innermost_) destroy_innermost();
    return nullptr;
  }
  innermost_->must_check = handlers_ || error_ || innermost_->error;
  return innermost_;
}

void Task::throw_what_came() {
  if (innermost_->error) std::rethrow_exception(std::exchange(innermost_->error, nullptr));
  if (must_throw()) std::rethrow_exception(std::exchange(error_, nullptr));
}

/// Its error is for its caller. If it has none, the task has finished with this error, and a
/// cancellation that has not been thrown is forgotten.
void Task::destroy_innermost() noexcept {
  Promise& ended = *innermost_;
  innermost_ = ended.caller;
  if (innermost_) {
    if (ended.must_check) [[unlikely]]
      innermost_->must_check = true;
    if (ended.error) [[unlikely]]
      innermost_->error = std::move(ended.error);
  } else if (ended.handle().done()) {
    error_ = std::move(ended.error);
    state_ = State::finished;
  }
  ended.handle().destroy();
}

void Task::finish() {
  state_ = State::finished;
  if (handlers_) call_handlers(Switch::finish);
  handlers_.reset();
  group_.tasks.remove(*this);
  --group_.host.living;
  wake_all();
  if (!group_.finished(*this, error_) && error_) group_.host.failed.add(*this);
  release();
}

/// A handler that a handler adds is after the last one and is not reached.
void Task::call_handlers(Switch what) {
  auto handler = handlers_->begin();
  for (std::size_t left = handlers_->size(); left > 0; --left) {
    bool stays = false;
    try {
      stays = (*handler)(*this, what);
    } catch (...) {
      group_.host.unhandled(std::current_exception());
    }
    handler = stays ? std::next(handler) : handlers_->erase(handler);
  }
  if (handlers_->empty()) handlers_.reset();
}

void Task::destroy() noexcept {
  if (is_linked()) {  // in TaskHost::failed
    group_.host.failed.remove(*this);
    group_.host.unhandled(std::exchange(error_, nullptr));
  }
  delete this;
}

void Task::throw_error() {
  if (is_linked()) group_.host.failed.remove(*this);
  std::rethrow_exception(error_);
}

}  // namespace coop
