#pragma once

#include <cstdint>
#include <exception>
#include <list>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "system_call.hpp"

/// The number of a task. The first is 1; none is given twice.
using TaskId = std::int64_t;

/// The messages that a task has not received yet, oldest first.
struct Mailbox {
  std::string name;  ///< where messages for the task are sent to, if it was made with a name
  std::list<Value> messages;  ///< not a deque: an empty one takes 600 bytes, and most are empty
  bool receiving = false;     ///< the task waits for the next message
};

/// A coroutine with an id: the scheduler's record of something that runs.
///
/// Article: "Cooperative multitasking", class Task.
class Task {
 public:
  /// Without a coroutine it is a `std::invalid_argument`.
  Task(TaskId id, Coroutine<> coroutine) : id_(id), stack_(stacked(std::move(coroutine))) {}
  Task(const Task&) = delete;

  TaskId id() const { return id_; }

  /// What the yield that the coroutine stands at will give, at the next run().
  void set_send_value(Value value) { send_value_ = std::move(value); }

  /// What that yield will throw instead.
  void set_exception(std::exception_ptr exception) {
    exception_ = std::move(exception);
    send_value_.reset();
  }

  /// One turn: to the next yield. Returns the request, moved out of the coroutine, so that it may
  /// destroy the coroutine that made it; `nullopt` at the end. Throws what leaves the coroutine.
  std::optional<Request> run() {
    const std::shared_ptr<TaskStack> running = stack_;  // a frame may kill its task as it goes
    const bool first = std::exchange(before_first_yield_, false);
    if (exception_) return std::move(running->throw_into(std::exchange(exception_, nullptr)));
    if (first) return std::move(running->current());  // send() would lose the first yielded value
    return std::move(running->send(std::exchange(send_value_, Value())));
  }

  /// True from end() on.
  bool is_finished() const { return stack_ == nullptr; }

  /// Destroys the coroutine with all it holds, and the messages it has not received.
  void end() {
    stack_.reset();
    send_value_.reset();
    exception_ = nullptr;
    mailbox_ = {};
  }

  /// Goes on as another coroutine, from its beginning. The old one is destroyed at once, and all
  /// that it has called.
  void exec(Coroutine<> coroutine) {
    stack_ = stacked(std::move(coroutine));
    send_value_.reset();
    exception_ = nullptr;
    before_first_yield_ = true;
  }

  /// Whether the task stands in the scheduler's queue; it never does so twice.
  bool is_queued() const { return queued_; }
  void set_queued(bool queued) { queued_ = queued; }

  /// The tasks that wait for the end of this one, in the order they came.
  std::vector<TaskId>& waiters() { return waiters_; }

  Mailbox& mailbox() { return mailbox_; }

 private:
  TaskId id_;
  std::shared_ptr<TaskStack> stack_;
  Value send_value_;
  std::exception_ptr exception_;
  bool before_first_yield_ = true;
  bool queued_ = false;
  std::vector<TaskId> waiters_;
  Mailbox mailbox_;
};
