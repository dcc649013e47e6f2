#pragma once

#include <uv.h>

#include <new>
#include <stdexcept>
#include <string>

namespace coop {

/// What libuv says went wrong. `what()` is one line: what was being done, what is wrong in plain
/// words, and libuv's name for it: "cannot open a.txt: no such file or directory (ENOENT)".
class UvError : public std::runtime_error {
 public:
  UvError(int code, const std::string& doing);

  /// One of libuv's codes, such as UV_ENOENT; negative.
  int code() const noexcept { return code_; }

 private:
  int code_;
};

/// Throws UvError if `result` is one of libuv's error codes, all of which are negative. Gives it
/// back if not. `doing` says what was being done: "cannot open a.txt".
inline int check(int result, const char* doing) {
  if (result < 0) [[unlikely]]
    throw UvError(result, doing);
  return result;
}
inline int check(int result, const std::string& doing) {
  return check(result, doing.c_str());
}

/// Runs `function` where nothing may be thrown, such as in a callback of libuv. Gives its error
/// instead, UV_ENOMEM without memory; 0 if there is none.
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

}  // namespace coop
