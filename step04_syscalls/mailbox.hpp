#pragma once

#include <deque>
#include <map>
#include <string>
#include <utility>

#include "scheduler.hpp"

/// The messages that have been sent to an actor, and the task that waits for the next one.
struct Mailbox {
  std::deque<Value> messages;  ///< the oldest first
  TaskId receiver = 0;         ///< 0 if no task waits

  /// If there are both a message and a task that waits for it, sends the message to the task.
  void deliver(Scheduler& scheduler) {
    if (messages.empty() || !scheduler.find(receiver)) return;
    scheduler.schedule(receiver, std::move(messages.front()));
    messages.pop_front();
    receiver = 0;
  }
};

/// The mailboxes of all actors, by name.
using Mailboxes = std::map<std::string, Mailbox>;

/// Puts a message into a mailbox. Does not wait until the message is received.
///
/// Recipe 12.12, ActorScheduler.send().
inline SystemCall send_message(Mailboxes& mailboxes, std::string name, Value message) {
  return [&mailboxes, name, message](TaskId asker, Scheduler& scheduler) {
    mailboxes[name].messages.push_back(message);
    mailboxes[name].deliver(scheduler);
    scheduler.schedule(asker);
  };
}

/// Waits for the next message in a mailbox and returns it. Only one task at a time may wait for a
/// mailbox.
///
/// Recipe 12.12, the bare yield of an actor.
inline SystemCall receive_message(Mailboxes& mailboxes, std::string name) {
  return [&mailboxes, name](TaskId asker, Scheduler& scheduler) {
    mailboxes[name].receiver = asker;
    mailboxes[name].deliver(scheduler);
  };
}
