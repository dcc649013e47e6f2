#pragma once

#include <memory>
#include <utility>

#include "system_call.hpp"

// A system call that the article leaves to its reader ("Communicating with the scheduler").

/// Replaces the coroutine of the task by another one. The task keeps its id. Does not return.
inline SystemCall<> exec_task(Coroutine<> coroutine) {
  const auto shared = std::make_shared<Coroutine<>>(std::move(coroutine));
  return [shared](TaskId asker, Scheduler& scheduler) {
    scheduler.find(asker)->exec(shared->release());
    scheduler.schedule(asker);
  };
}
