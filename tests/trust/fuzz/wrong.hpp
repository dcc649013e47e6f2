#pragma once

#include <fcntl.h>
#include <unistd.h>

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
  SameDescriptors() : next_(next()) {}
  SameDescriptors(const SameDescriptors&) = delete;
  ~SameDescriptors() {
    if (next() != next_) wrong("a file descriptor is open at the end");
  }

 private:
  /// Returns the lowest free file descriptor.
  static int next() {
    const int number = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
    ::close(number);
    return number;
  }

  int next_;
};
