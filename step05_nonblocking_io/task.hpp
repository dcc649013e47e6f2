#pragma once

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "coroutine.hpp"

/// A coroutine that a scheduler runs turn by turn.
///
/// Article: "Cooperative multitasking", class Task.
class Task {
 public:
  /// A task that runs `coroutine`.
  explicit Task(std::shared_ptr<Coroutine> coroutine) : coroutine_(std::move(coroutine)) {}

  Value answer;                 ///< the value that the current yield returns in the next turn
  std::vector<TaskId> waiters;  ///< the tasks that wait for the end of this task

  /// Runs one turn. Returns the value that the coroutine yields, or `nullopt` if it has finished.
  std::optional<Yielded> run() {
    if (started_) return std::move(coroutine_->send(std::exchange(answer, Value())));
    started_ = true;
    return std::move(coroutine_->current());  // send() would lose the first yielded value
  }

  /// Replaces the coroutine by another one, which starts in the next turn.
  void exec(std::shared_ptr<Coroutine> coroutine) {
    coroutine_ = std::move(coroutine);
    started_ = false;
  }

  /// Returns a copy of the task, suspended at the same yield. No task waits for the copy yet.
  Task fork() const {
    Task copy(coroutine_->clone());
    copy.started_ = true;
    return copy;
  }

 private:
  std::shared_ptr<Coroutine> coroutine_;
  bool started_ = false;
};
