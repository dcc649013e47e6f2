#pragma once

#include <deque>
#include <map>
#include <string>
#include <utility>

#include "system_call.hpp"

/// The messages that have been sent to an actor, and the task that waits for the next one.
template <typename Message>
struct Mailbox {
  std::deque<Message> messages;  ///< those that no task has received yet
  TaskId receiver = 0;           ///< 0 if no task waits
};

/// The mailboxes of all actors, by name.
template <typename Message>
using Mailboxes = std::map<std::string, Mailbox<Message>>;

/// Puts a message into a mailbox. Does not wait until the message is received.
///
/// Recipe 12.12, ActorScheduler.send().
template <typename Message>
SystemCall<> send_message(Mailboxes<Message>* mailboxes, std::string name, Message message) {
  return [&mailbox = (*mailboxes)[name], message](TaskId asker, Scheduler& scheduler) {
    mailbox.messages.push_back(message);
    scheduler.schedule(std::exchange(mailbox.receiver, 0));
    scheduler.schedule(asker);
  };
}

/// Waits until a message is sent to a mailbox.
template <typename Message>
SystemCall<> wait_for_message(Mailbox<Message>* mailbox) {
  return [mailbox](TaskId asker, Scheduler&) { mailbox->receiver = asker; };
}

/// Waits for the next message in a mailbox and returns it. Only one task at a time may wait for a
/// mailbox.
///
/// Recipe 12.12, the bare yield of an actor.
template <typename Message>
Coroutine<Message> receive_message(Mailboxes<Message>* mailboxes, std::string name) {
  Mailbox<Message>& mailbox = (*mailboxes)[name];
  while (mailbox.messages.empty()) {
    co_await wait_for_message(&mailbox);
  }
  Message message = std::move(mailbox.messages.front());
  mailbox.messages.pop_front();
  co_return message;
}
