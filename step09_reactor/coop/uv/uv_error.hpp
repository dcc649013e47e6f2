#pragma once

#include <uv.h>

#include <new>
#include <stdexcept>
#include <string>

namespace coop {

/// An error that libuv reports. `what()` is one line that says what failed, why, and libuv's name
/// for the reason: "cannot open a.txt: no such file or directory (ENOENT)".
class UvError : public std::runtime_error {
 public:
  /// `doing` says what failed: "cannot open a.txt".
  UvError(int code, const std::string& doing);

  /// One of libuv's codes, such as UV_ENOENT. It is negative.
  int code() const noexcept { return code_; }

 private:
  int code_;
};

}  // namespace coop

namespace coop::detail {

/// Throws UvError if `result` is one of libuv's error codes, which are negative. Otherwise returns
/// it. `doing` says what failed: "cannot open a.txt".
inline int check(int result, const char* doing) {
  if (result < 0) [[unlikely]]
    throw UvError(result, doing);
  return result;
}
inline int check(int result, const std::string& doing) {
  return check(result, doing.c_str());
}

/// Returns `text` as a string of C, for libuv. Throws UvError with UV_EINVAL if it contains a zero
/// byte, because libuv would see only the part before that byte.
const char* c_string(const std::string& text, const std::string& doing);

/// Calls `function` in a callback of libuv, where nothing may be thrown. Returns the code of the
/// error that it throws: UV_ENOMEM if an allocation fails, 0 if there is no error.
template <typename Function>
int run_in_callback(Function function) noexcept {
  try {
    function();
    return 0;
  } catch (const UvError& error) {
    return error.code();
  } catch (const std::bad_alloc&) {
    return UV_ENOMEM;
  }
}

}  // namespace coop::detail
