#pragma once

#include <string>
#include <utility>

#include "scheduler.hpp"

/// Sends a message to the task of that name and goes on; nobody waits. Gives nothing. If there is
/// no such task, or it has ended, the message is dropped.
///
/// Recipe 12.12, ActorScheduler.send().
inline SystemCall<> send_message(std::string name, Value message) {
  return [name = std::move(name), message = std::move(message)](Task& task,
                                                                Scheduler& scheduler) mutable {
    scheduler.send_message(name, std::move(message));
    scheduler.schedule(task);
  };
}

/// Gives the caller its next message, which must be a `T`, and waits for one if there is none.
///
/// Recipe 12.12, the bare yield of an actor.
template <typename T = Value>
SystemCall<T> receive_message() {
  return [](Task& task, Scheduler& scheduler) { scheduler.receive_message(task); };
}
