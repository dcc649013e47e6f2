#include "poll.hpp"

#include <algorithm>

namespace coop {

void Poll::start() {
  UvReactor::PolledDescriptor& polled = reactor().polled_[descriptor_];
  try {
    polled.polls.push_back(this);
    if (!polled.handle) {
      const std::string doing = "cannot wait for descriptor " + std::to_string(descriptor_);
      polled.handle = make_handle<uv_poll_t>(doing, uv_poll_init, loop(), descriptor_);
      polled.handle->data = &reactor();
    }
    listen(polled);
  } catch (...) {
    leave();
    throw;
  }
  UvEvent::start();
}

void Poll::stop() noexcept {
  UvEvent::stop();
  leave();
}

/// Without polls, the handle is closed, so that the descriptor may be closed.
void Poll::leave() noexcept {  // NOLINT(bugprone-exception-escape): only the first listen() fails
  const auto at = reactor().polled_.find(descriptor_);
  std::erase(at->second.polls, this);
  if (at->second.polls.empty()) {
    reactor().polled_.erase(at);
  } else {
    listen(at->second);
  }
}

/// For what tasks wait for, and no more.
void Poll::listen(const UvReactor::PolledDescriptor& polled) {
  int events = 0;
  for (const Poll* const poll : polled.polls) events |= poll->events_;
  detail::check(uv_poll_start(polled.handle.get(), events, happened),
                "cannot wait for a descriptor");
}

/// An error is for both sides. Each Poll that happens leaves the table, maybe with others that the
/// same task waits for.
void Poll::happened(uv_poll_t* handle, int status, int events) {
  std::map<int, UvReactor::PolledDescriptor>& all = static_cast<UvReactor*>(handle->data)->polled_;
  int descriptor = -1;
  uv_fileno(reinterpret_cast<uv_handle_t*>(handle), &descriptor);
  const auto is_due = [&](const Poll* poll) { return status < 0 || poll->events_ & events; };
  for (auto at = all.find(descriptor); at != all.end(); at = all.find(descriptor)) {
    const auto due = std::ranges::find_if(at->second.polls, is_due);
    if (due == at->second.polls.end()) return;
    (*due)->wake_all();
  }
}

}  // namespace coop
