#include "poll.hpp"

#include <algorithm>
#include <stdexcept>

#include "poll_table.hpp"

namespace coop {

Poll::Poll(int descriptor, For what)
    : reactor_(UvReactor::current()), descriptor_(descriptor), what_(what) {}

void Poll::start(Task& waiter) {
  if (waiter_) throw std::logic_error("This Poll is being waited for already");
  reactor_.polls().add(*this);
  waiter_ = &waiter;
  reactor_.begin_waiting();
}

void Poll::stop(Task&) noexcept {
  waiter_ = nullptr;
  reactor_.polls().remove(*this);
  reactor_.end_waiting();
}

std::string Poll::description() const {
  return "descriptor " + std::to_string(descriptor_) +
         (what_ == For::reading ? " to read" : " to write");
}

Coroutine<> readable(int descriptor, std::source_location where) {
  Poll poll(descriptor, Poll::For::reading);
  co_await wait(poll, where);
}

Coroutine<> writable(int descriptor, std::source_location where) {
  Poll poll(descriptor, Poll::For::writing);
  co_await wait(poll, where);
}

void PollTable::add(Poll& poll) {
  const auto [at, is_new] = entries_.try_emplace(poll.descriptor_);
  Entry& entry = at->second;
  try {
    if (is_new) {
      entry.handle = make_handle<uv_poll_t>("cannot wait for " + poll.description(), uv_poll_init,
                                            loop_, poll.descriptor_);
      entry.handle->data = this;
    }
    entry.polls.push_back(&poll);
    listen(entry);
  } catch (...) {
    remove(poll);
    throw;
  }
}

void PollTable::remove(Poll& poll) noexcept {
  const auto at = entries_.find(poll.descriptor_);
  std::erase(at->second.polls, &poll);
  if (at->second.polls.empty()) {
    entries_.erase(at);  // stops it, too
  } else {
    listen(at->second);
  }
}

/// For what somebody waits for, and no more.
void PollTable::listen(Entry& entry) {
  int events = 0;
  for (const Poll* const poll : entry.polls) events |= poll->events();
  check(uv_poll_start(entry.handle.get(), events, happened), "cannot wait for a descriptor");
}

/// The first that waits for one of these events.
Poll* PollTable::find(int descriptor, int events) const {
  const auto entry = entries_.find(descriptor);
  if (entry == entries_.end()) return nullptr;
  const auto due = [events](const Poll* poll) { return poll->events() & events; };
  const auto poll = std::ranges::find_if(entry->second.polls, due);
  return poll == entry->second.polls.end() ? nullptr : *poll;
}

/// An error is for both sides: what they do next will show it. Waking a task takes its poll out of
/// the table.
void PollTable::happened(uv_poll_t* handle, int status, int events) {
  if (status < 0) events = UV_READABLE | UV_WRITABLE;
  const PollTable& table = *static_cast<PollTable*>(handle->data);
  int descriptor = 0;
  uv_fileno(reinterpret_cast<uv_handle_t*>(handle), &descriptor);
  while (Poll* const poll = table.find(descriptor, events)) {
    poll->reactor_.end_tick();
    poll->waiter_->wake(*poll);
  }
}

}  // namespace coop
