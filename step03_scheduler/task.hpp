#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <utility>

#include "coroutine.hpp"

/// The number of a task. The first is 1; none is given twice.
using TaskId = std::int64_t;

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

  /// One turn: to the next yield. Returns what was yielded, or `nullopt` at the end.
  std::optional<Yielded> run() {
    if (before_first_yield_) {
      before_first_yield_ = false;
      return coroutine_->current();  // send() would lose the first yielded value
    }
    return coroutine_->send(std::exchange(send_value_, Value()));
  }

  bool is_finished() { return !coroutine_->valid(); }

 private:
  TaskId id_;
  std::shared_ptr<Coroutine> coroutine_;
  Value send_value_;
  bool before_first_yield_ = true;
};
