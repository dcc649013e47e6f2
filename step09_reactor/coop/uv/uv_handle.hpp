#pragma once

#include <uv.h>

#include <memory>
#include <string>

#include "uv_error.hpp"

namespace coop {

/// Closes a libuv handle. libuv needs its memory until it has called back, one tick later: it is
/// freed there, and never earlier.
struct CloseUvHandle {
  template <typename Uv>
  void operator()(Uv* handle) const noexcept {
    uv_close(reinterpret_cast<uv_handle_t*>(handle),
             [](uv_handle_t* closed) { delete reinterpret_cast<Uv*>(closed); });
  }
};

/// Owns a libuv handle: uv_tcp_t, uv_signal_t and the like.
///
/// TrueAsync page, row 48 of the chapter's table.
template <typename Uv>
using UvHandle = std::unique_ptr<Uv, CloseUvHandle>;

/// Makes one with its own function: `make_handle<uv_poll_t>("cannot poll", uv_poll_init, loop,
/// fd)`. Throws UvError if it fails.
template <typename Uv, typename Init, typename... Arguments>
UvHandle<Uv> make_handle(const std::string& doing, Init init, uv_loop_t* loop,
                         Arguments... arguments) {
  auto handle = std::make_unique<Uv>();
  check(init(loop, handle.get(), arguments...), doing);
  return UvHandle<Uv>(handle.release());
}

}  // namespace coop
