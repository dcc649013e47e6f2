#include "uv_error.hpp"

#include <array>

namespace coop {
namespace {

/// Uses the functions of libuv that write into a buffer, because the others leak for an unknown
/// code.
std::string words_for(int code, const std::string& doing) {
  std::array<char, 128> words{}, name{};
  uv_strerror_r(code, words.data(), words.size());
  uv_err_name_r(code, name.data(), name.size());
  return doing + ": " + words.data() + " (" + name.data() + ")";
}

}  // namespace

UvError::UvError(int code, const std::string& doing)
    : std::runtime_error(words_for(code, doing)), code_(code) {}

const char* detail::c_string(const std::string& text, const std::string& doing) {
  if (text.find('\0') != std::string::npos) {
    throw UvError(UV_EINVAL, doing.substr(0, doing.find('\0')) + " (cut at a zero byte)");
  }
  return text.c_str();
}

}  // namespace coop
