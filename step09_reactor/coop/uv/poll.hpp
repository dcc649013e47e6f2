#pragma once

#include "uv_event.hpp"

namespace coop {

/// The event that a descriptor is ready: `co_await readable(descriptor);`. It is for what is no Io,
/// such as a socket of another library. Any number of tasks may wait for one descriptor, to read or
/// to write. The end of the stream or an error also makes it ready, and the next read or write sees
/// it.
///
/// libuv makes the descriptor non-blocking, in all processes that share it. The descriptor must not
/// be closed while a task waits for it, because libuv would abort the program. A wait that libuv
/// cannot begin throws UvError, for a file with UV_EPERM.
///
/// TrueAsync: poll.
class Poll final : public UvEvent {
 public:
  /// `events` is UV_READABLE or UV_WRITABLE.
  Poll(int descriptor, int events) : descriptor_(descriptor), events_(events) {}

 protected:
  void start() override;
  void stop() noexcept override;

 private:
  static void happened(uv_poll_t* handle, int status, int events);
  static void listen(const UvReactor::PolledDescriptor& polled);
  void leave() noexcept;

  int descriptor_;
  int events_;
};

/// The event that there is something to read.
inline Poll readable(int descriptor) {
  return Poll(descriptor, UV_READABLE);
}

/// The event that there is room to write.
inline Poll writable(int descriptor) {
  return Poll(descriptor, UV_WRITABLE);
}

}  // namespace coop
