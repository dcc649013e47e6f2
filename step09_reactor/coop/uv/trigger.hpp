#pragma once

#include <source_location>

#include "uv_event.hpp"

namespace coop {

/// Lets another thread wake tasks of this one. Several sends that come before anybody looks are
/// one; so a trigger says "look", and something else says at what. See also UvReactor::post().
///
/// TrueAsync page, row 57 of the chapter's table.
class Trigger final : public UvEvent {
 public:
  Trigger();

  /// From any thread, as long as the trigger lives.
  void send() { uv_async_send(handle_.get()); }

  /// Waits until something was sent, if nothing was since the last time. Any number of tasks may
  /// wait; all are woken.
  Coroutine<> next(std::source_location where = std::source_location::current());

  bool is_ready() const override { return sent_; }
  std::string description() const override { return "a trigger"; }

 private:
  bool sent_ = false;
  UvHandle<uv_async_t> handle_;
};

}  // namespace coop
