#pragma once

#include <source_location>

#include "uv_event.hpp"

namespace coop {

/// A file descriptor has something to read, or room to write; also its end, or an error, which is
/// for the read or write to find. For what is not an Io, such as another library's socket.
///
/// libuv makes the descriptor non-blocking, for all who have it open. Nobody closes the descriptor
/// while somebody waits for it: libuv would abort the program. Descriptors of files cannot be
/// waited for: that throws UvError with UV_EPERM. Any number of these may be for one descriptor,
/// each of them for one wait at a time; a second one is refused: `std::logic_error`.
///
/// TrueAsync page, row 49 of the chapter's table.
class Poll final : public Event {
 public:
  enum class For { reading, writing };

  Poll(int descriptor, For what);

  int events() const { return what_ == For::reading ? UV_READABLE : UV_WRITABLE; }

  bool is_ready() const override { return false; }
  void start(Task& waiter) override;
  void stop(Task& waiter) noexcept override;
  std::string description() const override;

 private:
  friend class PollTable;
  UvReactor& reactor_;
  int descriptor_;
  For what_;
  Task* waiter_ = nullptr;
};

/// Waits until there is something to read. Any number of tasks may wait for one descriptor.
Coroutine<> readable(int descriptor, std::source_location where = std::source_location::current());

/// Waits until there is room to write.
Coroutine<> writable(int descriptor, std::source_location where = std::source_location::current());

}  // namespace coop
