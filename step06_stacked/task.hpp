#pragma once

#include <memory>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include "coroutine.hpp"

/// A stack of coroutines that a scheduler runs turn by turn. The innermost coroutine runs, and all
/// others are suspended at their calls. Calls and returns don't end the turn.
///
/// Article: "Cooperative multitasking", class Task, and "Stacked coroutines", stackedCoroutine().
class Task {
 public:
  /// A task that runs `coroutine`.
  explicit Task(std::shared_ptr<Coroutine> coroutine) { stack_.push_back(std::move(coroutine)); }
  Task(Task&&) = default;  ///< the other task has no coroutine then
  ~Task() {
    while (!stack_.empty()) stack_.pop_back();  // every coroutine before its caller
  }

  Value answer;                 ///< the value that the current yield returns in the next turn
  std::vector<TaskId> waiters;  ///< the tasks that wait for the end of this task

  /// Runs one turn. Returns the value that the innermost coroutine yields to the scheduler, or
  /// `nullopt` if the outermost coroutine has finished.
  std::optional<Yielded> run() {
    while (!stack_.empty()) {
      std::optional<Yielded> yielded = resume_innermost();  // only stack_ owns a callee
      if (!yielded) {
        stack_.pop_back();
      } else if (auto* const call = std::get_if<Call>(&*yielded)) {
        stack_.push_back(std::move(call->callee));
        started_ = false;
      } else if (auto* const result = std::get_if<ReturnValue>(&*yielded)) {
        stack_.pop_back();
        answer = std::move(result->value);
      } else {
        return yielded;
      }
    }
    return std::nullopt;
  }

 private:
  std::optional<Yielded> resume_innermost() {
    Coroutine& innermost = *stack_.back();
    if (started_) innermost.send(std::exchange(answer, Value()));
    started_ = true;
    return innermost.take();  // send() would lose the first yielded value
  }

  std::vector<std::shared_ptr<Coroutine>> stack_;
  bool started_ = false;  // false while the innermost coroutine has not run yet
};
