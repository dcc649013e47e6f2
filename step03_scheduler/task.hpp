#pragma once

#include <memory>
#include <optional>

#include "coroutine.hpp"

/// The number of a task. The first task has the number 1, and no number is used twice.
using TaskId = long long;

/// A coroutine that a scheduler runs turn by turn.
///
/// Article: "Cooperative multitasking", class Task.
struct Task {
  std::shared_ptr<Coroutine> coroutine;  ///< the body
  bool started = false;                  ///< true after the first turn

  /// Runs one turn. Returns the value that the coroutine yields, or `nullopt` if it has finished.
  std::optional<Yielded> run() {
    if (started) return coroutine->send(Value{});
    started = true;
    return coroutine->current();  // send() would lose the first yield, and with it a turn
  }
};
