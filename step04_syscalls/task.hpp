#pragma once

#include <cstdint>
#include <list>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "coroutine.hpp"

/// The number of a task. The first is 1; none is given twice.
using TaskId = std::int64_t;

/// The messages that a task has not received yet, oldest first. A list, since most tasks get
/// none, and a deque takes memory even when it is empty.
struct Mailbox {
  std::string name;  ///< where messages for the task are sent to, if it was made with a name
  std::list<Value> messages;
  bool receiving = false;  ///< the task waits for the next message
};

/// A coroutine with an id: the scheduler's record of something that runs.
///
/// Article: "Cooperative multitasking", class Task.
class Task {
 public:
  /// `coroutine` belongs to this task alone; null is a `std::invalid_argument`.
  Task(TaskId id, std::shared_ptr<Coroutine> coroutine)
      : id_(id), coroutine_(std::move(coroutine)) {
    if (!coroutine_) throw std::invalid_argument("A task needs a coroutine");
  }
  Task(Task&&) = default;

  TaskId id() const { return id_; }

  /// What the yield that the coroutine stands at will give, at the next run().
  void set_send_value(Value value) { send_value_ = std::move(value); }

  /// One turn: to the next yield. Returns what was yielded, moved out of the coroutine, so that a
  /// system call may destroy the coroutine that made it; `nullopt` at the end.
  std::optional<Yielded> run() {
    if (before_first_yield_) {
      before_first_yield_ = false;
      return std::move(coroutine_->current());  // send() would lose the first yielded value
    }
    return std::move(coroutine_->send(std::exchange(send_value_, Value())));
  }

  /// True from end() on.
  bool is_finished() const { return coroutine_ == nullptr; }

  /// Destroys the coroutine with all it holds, and the messages it has not received.
  void end() {
    coroutine_.reset();
    send_value_.reset();
    mailbox_ = {};
  }

  /// Goes on as another coroutine, from its beginning. The old one is destroyed at once.
  void exec(std::shared_ptr<Coroutine> coroutine) {
    if (!coroutine) throw std::invalid_argument("A task needs a coroutine");
    coroutine_ = std::move(coroutine);
    send_value_.reset();
    before_first_yield_ = true;
  }

  /// A task that stands where this one stands, without its messages and waiters. Throws what
  /// Coroutine::clone() throws.
  Task fork(TaskId id) const {
    Task child(id, coroutine_->clone());
    child.before_first_yield_ = before_first_yield_;
    return child;
  }

  /// Whether the task stands in the scheduler's queue; it never does so twice.
  bool is_queued() const { return queued_; }
  void set_queued(bool queued) { queued_ = queued; }

  /// The tasks that wait for the end of this one, in the order they came.
  std::vector<TaskId>& waiters() { return waiters_; }

  Mailbox& mailbox() { return mailbox_; }

 private:
  TaskId id_;
  std::shared_ptr<Coroutine> coroutine_;
  Value send_value_;
  bool before_first_yield_ = true;
  bool queued_ = false;
  std::vector<TaskId> waiters_;
  Mailbox mailbox_;
};
