#pragma once

#include <fcntl.h>

#include <cstdio>
#include <cstdlib>

/// Prints a message and aborts, so that libFuzzer reports the input.
[[noreturn]] inline void wrong(const char* what) {
  std::fprintf(stderr, "WRONG: %s\n", what);
  std::abort();
}

/// Checks at its end that all file descriptors have been closed that were opened in the meantime.
class SameDescriptors {
 public:
  SameDescriptors() = default;
  SameDescriptors(const SameDescriptors&) = delete;
  ~SameDescriptors() {
    if (count() != before_) wrong("a file descriptor is open at the end");
  }

 private:
  /// Returns the number of open descriptors below 100.
  static int count() {
    int open = 0;
    for (int number = 0; number < 100; ++number) open += ::fcntl(number, F_GETFD) >= 0;
    return open;
  }

  int before_ = count();
};
