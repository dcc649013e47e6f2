#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "process.hpp"

using Log = std::vector<std::string>;

// Coroutines for tests. They write to a log, which must live longer than they do.

/// Writes the texts to the log, one per turn.
inline Coroutine<> say(Log* log, std::vector<std::string> texts) {
  for (const std::string& text : texts) {
    log->push_back(text);
    co_yield nothing;
  }
}

/// Ends some turns, and then calls a function.
inline Coroutine<> act(int turns, std::function<void()> function) {
  for (int i = 0; i < turns; ++i) {
    co_yield nothing;
  }
  function();
}

/// Ends some turns, and then kills a task.
inline Coroutine<> kill(Log* log, int turns, TaskId id) {
  for (int i = 0; i < turns; ++i) {
    co_yield nothing;
  }
  log->push_back("kills");
  co_await kill_task(id);
  log->push_back("killer continues");
}

/// Waits for the end of a task.
inline Coroutine<> wait(Log* log, std::string name, TaskId id) {
  log->push_back(name + " waits");
  co_await wait_task(id);
  log->push_back(name + " continues");
}

/// Writes a text to the log when its last copy is destroyed.
inline std::shared_ptr<void> at_destruction(Log* log, std::string text) {
  return std::shared_ptr<void>(nullptr,
                               [log, text = std::move(text)](void*) { log->push_back(text); });
}

/// Runs one task until no task is ready.
inline void run(Coroutine<> coroutine) {
  Scheduler scheduler;
  scheduler.new_task(std::move(coroutine));
  scheduler.run();
}
