#include "uv_error.hpp"

#include <uv.h>

#include <array>

namespace coop {
namespace {

/// libuv's functions for this that need no memory of their own, which they would lose.
std::string words_for(int code, const std::string& doing) {
  std::array<char, 128> words{}, name{};
  uv_strerror_r(code, words.data(), words.size());
  uv_err_name_r(code, name.data(), name.size());
  return doing + ": " + words.data() + " (" + name.data() + ")";
}

}  // namespace

UvError::UvError(int code, const std::string& doing)
    : std::runtime_error(words_for(code, doing)), code_(code) {}

}  // namespace coop
