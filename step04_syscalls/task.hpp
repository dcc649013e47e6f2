#pragma once

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "coroutine.hpp"

/// A coroutine that a scheduler runs turn by turn.
///
/// Article: "Cooperative multitasking", class Task.
struct Task {
  std::shared_ptr<Coroutine> coroutine;  ///< the body
  bool started = false;                  ///< true after the first turn

  Value answer{};                 ///< the value that the current yield returns in the next turn
  std::vector<TaskId> waiters{};  ///< the tasks that wait for the end of this task

  /// Runs one turn. Returns the value that the coroutine yields, or `nullopt` if it has finished.
  std::optional<Yielded> run() {
    if (started) coroutine->send(std::exchange(answer, Value()));
    started = true;
    return coroutine->take();  // send() would lose the first yielded value
  }
};
